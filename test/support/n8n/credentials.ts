import type { Session } from './session';

export interface CredentialReference {
	id: string;
	name: string;
}

export class Credentials {
	constructor(private readonly session: Session) {}

	async create(type: string, data: object, name = type): Promise<CredentialReference> {
		const body = { name, type, data };
		const { id } = await this.session.call<{ id: string }>('POST', '/rest/credentials', body);
		return { id, name };
	}

	/** Tests a credential with these fields, as the editor's credential form does after saving it. */
	async test(type: string, data: object): Promise<{ status: 'OK' | 'Error'; message: string }> {
		const { id, name } = await this.create(type, data);
		try {
			const credentials = { id, name, type, data };
			return await this.session.call('POST', '/rest/credentials/test', { credentials });
		} finally {
			await this.session.call('DELETE', `/rest/credentials/${id}`);
		}
	}
}
