import type { Sandbox } from '../../../sandbox';

export interface Answer {
	status: number;
	headers: Headers;
	text: string;
	/** Parsed, where it is JSON. */
	json: unknown;
}

/** Asks the sandbox as a client of the service would. */
export async function ask(
	sandbox: Sandbox,
	route: string,
	{ body, key = sandbox.accounts.owner.apiKey }: { body?: unknown; key?: string | null } = {},
): Promise<Answer> {
	const [method, path] = route.split(' ');
	const response = await fetch(`${sandbox.baseUrl}${path}`, {
		method,
		headers: {
			...(key !== null && { authorization: `Bearer ${key}` }),
			...(body !== undefined && { 'content-type': 'application/json' }),
		},
		...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
		redirect: 'manual',
	});
	const text = await response.text();
	const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
	return {
		status: response.status,
		headers: response.headers,
		text,
		json: isJson && text !== '' && isWhole(text) ? JSON.parse(text) : undefined,
	};
}

function isWhole(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** The resource inside an answer, with the envelope of either dialect taken off. */
export function entryOf(answer: Answer): Record<string, unknown> {
	const body = answer.json as { data?: Record<string, unknown> };
	return body.data ?? (body as Record<string, unknown>);
}

/** The ID of a fresh subscription of the owner's. */
export async function subscribe(
	sandbox: Sandbox,
	url: string,
	more: Record<string, unknown> = {},
): Promise<string> {
	const ownerId = sandbox.accounts.owner.userId;
	const body = { url, events: ['message.received'], ownerId, ...more };
	return String(entryOf(await ask(sandbox, 'POST /webhooks', { body })).id);
}

/** The ID of an account's identity by its address or domain. */
export function identityId(
	sandbox: Sandbox,
	value: string,
	account: 'owner' | 'other' = 'owner',
): string {
	const found = sandbox.accounts[account].identities.find((identity) => identity.value === value);
	if (!found) throw new Error(`There is no identity ${value}.`);
	return found.id;
}
