import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { errorBody } from '../dialects/errors';
import type { Dialect } from '../dialects/dialect';
import type { FaultAnswer } from '../types';

type Answers = { [Type in FaultAnswer['type']]: Extract<FaultAnswer, { type: Type }> };

interface Situation {
	reply: FastifyReply;
	/** The right answer's body, or what stands for it where the service did not act. */
	body: string;
	dialect: Dialect;
	/** Ends waiting when the service goes down. */
	life: AbortSignal;
}

type Body = string | Readable;
type Spoilers = {
	[Type in FaultAnswer['type']]: (answer: Answers[Type], situation: Situation) => Body;
};

const webPage =
	'<!DOCTYPE html><html><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>';

async function* cut(body: string, life: AbortSignal): AsyncGenerator<Buffer> {
	const bytes = Buffer.from(body);
	yield bytes.subarray(0, Math.floor(bytes.length / 2));
	// So that the first half is on its way before the connection ends.
	await sleep(20, undefined, { signal: life });
	throw new Error('The body ends here.');
}

async function* trickle(
	body: string,
	{ chunkBytes = 1, intervalMilliseconds = 50 }: Answers['trickle'],
	life: AbortSignal,
): AsyncGenerator<Buffer> {
	const bytes = Buffer.from(body);
	for (let start = 0; start < bytes.length; start += chunkBytes) {
		yield bytes.subarray(start, start + chunkBytes);
		await sleep(intervalMilliseconds, undefined, { signal: life });
	}
}

const typeOf = (body: unknown, { jsonContentType }: Dialect): string =>
	typeof body === 'string' ? 'text/plain; charset=utf-8' : jsonContentType;

/** As the observed service names what it refuses; it says nothing to programs where access or the service failed. */
const faultCode = (status: number): string | undefined =>
	[401, 403, 500].includes(status) ? undefined : (faultCodes[status] ?? 'ERROR');

const faultCodes: Record<number, string> = {
	400: 'INVALID_REQUEST_BODY',
	404: 'NOT_FOUND',
	409: 'CONFLICT',
	422: 'INVALID_REQUEST_BODY',
	429: 'TOO_MANY_REQUESTS',
};

function replaceStatus(answer: Answers['status'], { reply, dialect }: Situation): string {
	const { status, headers = {}, issues, message = `Fault ${status}` } = answer;
	const url = `${reply.request.protocol}://${reply.request.host}${reply.request.url}`;
	const body =
		answer.body ?? errorBody({ status, message, issues, url, code: faultCode(status) }, dialect);
	reply.code(status).headers({ 'content-type': typeOf(body, dialect), ...headers });
	return typeof body === 'string' ? body : JSON.stringify(body);
}

const spoilers: Spoilers = {
	status: replaceStatus,
	truncatedJson: (_, { body }) => body.slice(0, Math.max(1, Math.floor(body.length / 2))),
	cutBody: (_, { reply, body, life }) => {
		reply.header('content-length', Buffer.byteLength(body));
		return Readable.from(cut(body, life));
	},
	html: (_, { reply }) => {
		reply.code(200).header('content-type', 'text/html; charset=utf-8');
		return webPage;
	},
	contentType: ({ contentType }, { reply, body }) => {
		reply.removeHeader('content-type');
		if (contentType !== null) reply.header('content-type', contentType);
		return body;
	},
	redirect: ({ location, status = 302 }, { reply }) => {
		reply.code(status).header('location', location);
		return '';
	},
	drop: (_, { reply, body }) => {
		reply.raw.socket?.resetAndDestroy();
		return body;
	},
	trickle: (answer, { body, life }) => Readable.from(trickle(body, answer, life)),
};

/** Turns the right answer into the wrong one: changes status and headers, returns the body to send. */
export function spoilAnswer<Type extends FaultAnswer['type']>(
	answer: Answers[Type],
	situation: Situation,
): Body {
	const type = answer.type as Type;
	return spoilers[type](answer, situation);
}
