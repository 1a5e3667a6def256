import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dialect } from './dialects';
import { errorBody } from './present';
import type { FaultAnswer, FaultRule, InFlight, Limits } from './types';

const segmentPatterns: Record<string, string> = { '*': '[^/]+', '**': '.*' };

function segmentPattern(segment: string): string {
	if (segment.startsWith(':')) return '[^/]+';
	return segmentPatterns[segment] ?? segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/**
 * Whether a path fits a pattern: `*` or `:name` is one segment, `**` any number.
 *
 * @param path relative to the base URL, without a query: `/webhooks/123`
 */
function matchesPath(pattern: string, path: string): boolean {
	return new RegExp(`^${pattern.split('/').map(segmentPattern).join('/')}$`).test(path);
}

type ActiveRule = FaultRule & { id: string };

const actsByDefault: Record<FaultAnswer['type'], boolean> = {
	status: false,
	html: false,
	redirect: false,
	drop: false,
	truncatedJson: true,
	cutBody: true,
	contentType: true,
	trickle: true,
};

/** Whether the service does what was asked of it before the fault shows. */
export function ruleActs({ acts, answer }: FaultRule): boolean {
	return acts ?? (answer === undefined || actsByDefault[answer.type]);
}

/** The rules of faults in the order they were made; the first that fits a request applies. */
export class FaultRules {
	private readonly rules = new Map<string, { rule: ActiveRule; skip: number; left: number }>();
	private lastNumber = 0;

	/** @returns the rule's ID */
	add(rule: FaultRule): string {
		const id = rule.id ?? `fault-${++this.lastNumber}`;
		const state = { skip: rule.skip ?? 0, left: rule.count ?? Infinity };
		this.rules.set(id, { rule: { ...rule, id }, ...state });
		return id;
	}

	/** Takes one use of the first rule that fits. */
	take(method: string, path: string): ActiveRule | undefined {
		for (const entry of this.rules.values()) {
			const { rule } = entry;
			if (rule.method && rule.method.toUpperCase() !== method) continue;
			if (rule.path && !matchesPath(rule.path, path)) continue;
			if (entry.skip > 0) entry.skip--;
			else if (entry.left > 0) {
				entry.left--;
				return rule;
			}
		}
		return undefined;
	}

	/** With the uses that are left. */
	list(): FaultRule[] {
		return [...this.rules.values()].map(({ rule, skip, left }) => ({
			...rule,
			skip,
			...(Number.isFinite(left) && { count: left }),
		}));
	}

	remove(id: string): void {
		this.rules.delete(id);
	}

	clear(): void {
		this.rules.clear();
	}
}

/** Counts requests under way and holds the limits that apply to all of them. */
export class Flow {
	limits: Limits = { concurrency: null, retryAfter: '1', latency: 0 };
	private readonly count: InFlight = { now: 0, max: 0 };

	/** @returns whether there is room for this request, and how to say (once or more often) that it is over */
	enter(): { hasRoom: boolean; leave: () => void } {
		this.count.now++;
		this.count.max = Math.max(this.count.max, this.count.now);
		let isInside = true;
		const leave = () => {
			if (isInside) this.count.now--;
			isInside = false;
		};
		return { hasRoom: this.count.now <= (this.limits.concurrency ?? Infinity), leave };
	}

	inFlight(): InFlight {
		return { ...this.count };
	}

	resetMax(): void {
		this.count.max = this.count.now;
	}
}

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
