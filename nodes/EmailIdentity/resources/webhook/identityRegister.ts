import type { EmailIdentityService } from '../../api/service';
import { lookUpIdentity, type IdentityLook } from '../../shared/chosenIdentity';

/** Looks identities up, each once in an execution, however many items ask for it: writing forgets what else was read. */
export class IdentityRegister {
	private readonly looks = new Map<string, Promise<IdentityLook>>();

	constructor(private readonly service: EmailIdentityService) {}

	/**
	 * @param name how a person knows the identity, where it was chosen from the list
	 * @throws NodeApiError when the service can't be asked; the next item asks again
	 */
	async lookUp(id: string, name?: string): Promise<IdentityLook> {
		const look = this.looks.get(id) ?? lookUpIdentity(this.service, id, name);
		this.looks.set(id, look);
		look.catch(() => this.looks.delete(id));
		return await look;
	}
}
