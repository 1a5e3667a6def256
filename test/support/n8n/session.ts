/** An answer of n8n's REST API with a status that is not a success. */
export class RestError extends Error {
	override name = 'RestError';

	constructor(
		readonly status: number,
		message: string,
	) {
		super(message);
	}
}

/** The owner of an n8n that a driver set up. */
export const OWNER = {
	email: 'owner@example.com',
	firstName: 'Olivia',
	lastName: 'Owner',
	password: 'Email-Identity-1',
};

/** A logged-in session of n8n's REST API, as the editor has one. */
export class Session {
	private cookie = '';

	constructor(readonly url: string) {}

	/** Whether n8n answers its REST calls. Its health addresses answer earlier, on 1.x by seconds. */
	async isReady(): Promise<boolean> {
		return (await this.settings()).userManagement !== undefined;
	}

	/** Creates the owner's account in a fresh n8n, and logs in. */
	async logIn(): Promise<void> {
		if ((await this.settings()).userManagement?.showSetupOnFirstLoad) {
			await this.call('POST', '/rest/owner/setup', OWNER);
		}
		const { email, password } = OWNER;
		await this.call('POST', '/rest/login', { emailOrLdapLoginId: email, password });
	}

	private async settings() {
		type Settings = { userManagement?: { showSetupOnFirstLoad: boolean } };
		return await this.call<Settings>('GET', '/rest/settings');
	}

	/**
	 * @param path from the root, with its query
	 * @param body a form, or a value that is sent as JSON
	 * @returns the answer's `data` if it has one, otherwise the whole answer
	 * @throws RestError with n8n's own message
	 */
	async call<T = unknown>(
		method: string,
		path: string,
		body?: unknown,
		headers: Record<string, string> = {},
	): Promise<T> {
		const isJson = body !== undefined && !(body instanceof FormData);
		const response = await fetch(`${this.url}${path}`, {
			method,
			headers: {
				cookie: this.cookie,
				// n8n may close an idle connection at the moment when it would be used again.
				connection: 'close',
				...(isJson ? { 'content-type': 'application/json' } : {}),
				...headers,
			},
			body: isJson ? JSON.stringify(body) : (body as FormData | undefined),
		});
		const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
		if (cookies.length > 0) this.cookie = cookies.join('; ');
		const answer = readAnswer(await response.text());
		if (response.ok) return (answer.data ?? answer) as T;
		throw new RestError(response.status, answer.message ?? response.statusText);
	}

	/** Downloads a file of an execution as the editor does. @throws RestError when n8n refuses */
	async download(fileId = ''): Promise<Buffer> {
		const path = `/rest/binary-data?action=download&id=${encodeURIComponent(fileId)}`;
		const response = await fetch(`${this.url}${path}`, { headers: { cookie: this.cookie } });
		if (!response.ok) throw new RestError(response.status, response.statusText);
		return Buffer.from(await response.arrayBuffer());
	}
}

/** @returns an empty object for what is not JSON, such as the answer of an n8n that starts */
function readAnswer(text: string): { data?: unknown; message?: string } {
	try {
		return (JSON.parse(text) as object | null) ?? {};
	} catch {
		return {};
	}
}
