import type { IExecuteFunctions } from 'n8n-workflow';
import { EmailIdentity } from '../../../../nodes/EmailIdentity/EmailIdentity.node';
import {
	EmailIdentityService,
	type ServiceOptions,
} from '../../../../nodes/EmailIdentity/api/service';
import { executeContext } from '../../support';
import { startScriptedServer, type Answer, type ScriptedServer } from './scriptedServer';

export const API_KEY = 'sk-the-key-of-the-test';

/** Little patience between attempts. */
export const quick = { firstDelay: 1, maxDelay: 5, timeout: 30_000 };

const servers: ScriptedServer[] = [];

afterEach(async () => {
	await Promise.all(servers.splice(0).map(async (server) => await server.stop()));
});

/** Starts a server that is stopped after the test. */
export async function serve(...answers: Answer[]): Promise<ScriptedServer> {
	const server = await startScriptedServer(...answers);
	servers.push(server);
	return server;
}

/** The context of a node whose credential names a server. */
export function contextFor(
	origin: string,
	signal?: AbortSignal,
	credential = { baseUrl: `${origin}/api/`, apiKey: API_KEY },
): IExecuteFunctions {
	return executeContext({ type: new EmailIdentity(), credential, signal });
}

/** Connects a node to a server. */
export function connect(
	origin: string,
	options: ServiceOptions = {},
	signal?: AbortSignal,
): EmailIdentityService {
	return new EmailIdentityService(contextFor(origin, signal), {
		...options,
		retry: { ...quick, ...options.retry },
	});
}

/** What a call failed with; the key is nowhere in it. */
export async function failureOf(call: Promise<unknown>): Promise<{
	message: string;
	description: string;
	everything: string;
	error: Error;
}> {
	const error = await call.then(
		() => {
			throw new Error('expected a failure');
		},
		(caught: Error & { description?: string }) => caught,
	);
	const own = Object.getOwnPropertyNames(error).map((name) => [name, Reflect.get(error, name)]);
	const everything = JSON.stringify([String(error), error.stack, Object.fromEntries(own)]);
	expect(everything).not.toContain(API_KEY);
	return { message: error.message, description: error.description ?? '', everything, error };
}
