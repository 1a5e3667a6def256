import type { IncomingMessage, ServerResponse } from 'node:http';

import { decode, encode, type Answer, type Question } from 'dns-packet';
import type { IExecuteFunctions, INodeType } from 'n8n-workflow';

import {
	startScriptedServer,
	type Answer as HttpAnswer,
	type ScriptedServer,
} from '../api/scriptedServer';
import { executeContext } from '../rig';

const bareNode: INodeType = {
	description: {
		displayName: 'Bare',
		name: 'bare',
		group: ['transform'],
		version: 1,
		description: 'Has nothing but a context',
		defaults: { name: 'Bare' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	},
};

/** The context of an execution. */
export function contextWith(signal?: AbortSignal): IExecuteFunctions {
	return executeContext({ type: bareNode, signal });
}

const servers: ScriptedServer[] = [];

afterEach(async () => {
	await Promise.all(servers.splice(0).map(async (server) => await server.stop()));
});

export interface ScriptedResolver {
	address: string;
	host: string;
	/** Method and path of every request that arrived, in order. */
	requests: string[];
	/** Their names, in order. */
	names(): string[];
}

/** Starts a resolver that is stopped after the test; of its answers the last one is repeated. */
export async function resolverWith(...answers: HttpAnswer[]): Promise<ScriptedResolver> {
	const server = await startScriptedServer(...answers);
	servers.push(server);
	return {
		address: `${server.origin}/a-secret-profile/dns-query`,
		host: new URL(server.origin).host,
		requests: server.requests,
		names: () => server.requests.map((request) => questionIn(request.split(' ')[1]).name),
	};
}

function questionIn(url = ''): Question {
	const asked = new URL(url, 'http://resolver').searchParams.get('dns') ?? '';
	const [question] = decode(Buffer.from(asked, 'base64url')).questions ?? [];
	if (question === undefined) throw new Error('Nothing was asked');
	return question;
}

/** What a resolver may answer besides records. */
interface MessageOptions {
	rcode?: number;
	authorities?: Answer[];
	headers?: Record<string, string>;
}

/** Answers a question with records. */
export function records(
	make: (question: Question) => Answer[],
	{ rcode = 0, authorities = [], headers = {} }: MessageOptions = {},
): HttpAnswer {
	return (request: IncomingMessage, response: ServerResponse) => {
		const question = questionIn(request.url);
		const body = encode({
			type: 'response',
			flags: rcode,
			questions: [question],
			answers: make(question),
			authorities,
		});
		response.writeHead(200, { 'content-type': 'application/dns-message', ...headers }).end(body);
	};
}

/** Answers with one text. */
export function textRecord(
	text: string,
	ttl = 60,
	headers: Record<string, string> = {},
): HttpAnswer {
	return records(({ name }) => [{ name, type: 'TXT', ttl, data: text }], { headers });
}

export const servfail: HttpAnswer = records(() => [], { rcode: 2 });
