import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { startSandbox, type DialectName, type MailOptions, type Sandbox } from '../../../sandbox';

export const SALES = 'sales@example.test';
/** Of the other account. */
export const FOREIGN = 'person@other.test';
export const UNKNOWN = '00000000-0000-4000-8000-000000000000';

type Json = Record<string, unknown>;

export interface Scene {
	sandbox: Sandbox;
	/** Asks as a client of the service would. */
	ask(route: string, body?: unknown, key?: string): Promise<{ status: number; json: Json }>;
	/** The resource in an answer, out of its envelope. */
	entry(route: string, body?: unknown): Promise<Json>;
	/** A fresh subscription's ID. */
	subscribe(more?: Json): Promise<string>;
	idOf(value: string): string;
	/** What was delivered so far, each as its headers and `data`. */
	received: Array<{
		headers: IncomingHttpHeaders;
		data: { message: Json; rawEmail: string };
	}>;
	/** Takes an email in and waits for its deliveries. */
	receive(raw: string, options?: Partial<MailOptions>): Promise<Json>;
	stop(): Promise<void>;
}

/** The sandbox with somewhere for its deliveries to go, which answers 200. */
export async function startScene(dialect: DialectName): Promise<Scene> {
	const sandbox = await startSandbox({ dialect });
	const received: Scene['received'] = [];
	const receiver = createServer(async (request, response) => {
		const { data } = JSON.parse(await text(request)) as { data: Scene['received'][0]['data'] };
		received.push({ headers: request.headers, data });
		response.end();
	});
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	const hooks = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

	const ask: Scene['ask'] = async (route, body, key = sandbox.accounts.owner.apiKey) => {
		const [method, path] = route.split(' ');
		const answer = await fetch(`${sandbox.baseUrl}${path}`, {
			method,
			headers: key === '' ? {} : { authorization: `Bearer ${key}` },
			body: typeof body === 'object' ? JSON.stringify(body) : (body as string | undefined),
		});
		return { status: answer.status, json: JSON.parse((await answer.text()) || '{}') as Json };
	};
	const entry: Scene['entry'] = async (route, body) => {
		const { json } = await ask(route, body);
		return (json.data ?? json) as Json;
	};
	return {
		...{ sandbox, received, ask, entry },
		async subscribe(more = {}) {
			const ownerId = sandbox.accounts.owner.userId;
			const body = { url: hooks, events: ['message.received'], ownerId, ...more };
			return String((await entry('POST /webhooks', body)).id);
		},
		idOf(value) {
			const { identities } = sandbox.dumpState();
			return identities.find((identity) => identity.value === value)!.id;
		},
		async receive(raw, options = {}) {
			const { messages, deliveries } = await sandbox.receiveMail(raw, { to: SALES, ...options });
			await deliveries;
			return { ...messages[0]?.fields };
		},
		async stop() {
			receiver.closeAllConnections();
			receiver.close();
			await sandbox.stop();
		},
	};
}
