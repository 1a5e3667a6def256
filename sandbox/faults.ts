import type { FaultAnswer, FaultRule } from './types';

/** Whether a path, relative to the base URL, fits a pattern: `*` is one segment, `**` any number. */
function matchesPath(pattern: string, path: string): boolean {
	const expression = pattern
		.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
		.replace(/\*\*?/g, (stars) => (stars === '**' ? '.*' : '[^/]+'));
	return new RegExp(`^${expression}$`).test(path);
}

const NEEDS_RIGHT_ANSWER: ReadonlyArray<FaultAnswer['type']> = [
	'truncatedJson',
	'contentType',
	'trickle',
];

/** Whether the service does what was asked before the fault shows. */
export function ruleActs({ acts, answer }: FaultRule): boolean {
	return acts ?? (answer === undefined || NEEDS_RIGHT_ANSWER.includes(answer.type));
}

interface ActiveRule {
	id: string;
	rule: FaultRule;
}

/** The faults in the order they were added; the first that fits a request strikes. */
export class FaultRules {
	private rules: Array<ActiveRule & { skip: number; left: number }> = [];
	private lastNumber = 0;

	/** @returns its ID */
	add(rule: FaultRule): string {
		const id = `fault-${++this.lastNumber}`;
		this.rules.push({ id, rule, skip: rule.skip ?? 0, left: rule.count ?? Infinity });
		return id;
	}

	/**
	 * Takes one use of the first fault that fits.
	 *
	 * @param inFlight requests under way, this one among them
	 */
	take(method: string, path: string, inFlight: number): ActiveRule | undefined {
		for (const active of this.rules) {
			const { rule } = active;
			if (rule.method !== undefined && rule.method !== method) continue;
			if (rule.path !== undefined && !matchesPath(rule.path, path)) continue;
			if (inFlight <= (rule.above ?? 0)) continue;
			if (active.skip > 0) active.skip--;
			else if (active.left-- > 0) return active;
		}
		return undefined;
	}

	clear(): void {
		this.rules = [];
	}
}

/** An answer on its way out. */
export interface Reply {
	status: number;
	reason?: string;
	headers: Record<string, string>;
	body: string;
}

/** As Kurrier names what it refuses; nothing where access or the service failed. */
export const FAULT_CODES: Record<number, string> = {
	400: 'INVALID_REQUEST_BODY',
	404: 'NOT_FOUND',
	409: 'CONFLICT',
	422: 'INVALID_REQUEST_BODY',
	429: 'TOO_MANY_REQUESTS',
};

/**
 * The reply that a fault makes of the right one. `drop` and `trickle` change how it is sent, not the reply.
 *
 * @param refuse the dialect's reply for a status
 */
export function spoil(
	answer: FaultAnswer,
	right: Reply,
	refuse: (answer: Extract<FaultAnswer, { type: 'status' }>) => Reply,
): Reply {
	switch (answer.type) {
		case 'status': {
			const refusal = refuse(answer);
			const { body = refusal.body, headers } = answer;
			const text = typeof body === 'string' ? body : JSON.stringify(body);
			return { ...refusal, headers: { ...refusal.headers, ...headers }, body: text };
		}
		case 'html':
			return {
				status: 200,
				headers: { 'content-type': 'text/html; charset=utf-8' },
				body: '<!DOCTYPE html><html><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>',
			};
		case 'redirect':
			return { status: 302, headers: { location: answer.location }, body: '' };
		case 'truncatedJson':
			return { ...right, body: right.body.slice(0, Math.ceil(right.body.length / 2)) };
		case 'contentType': {
			const headers = { ...right.headers };
			if (answer.contentType === null) delete headers['content-type'];
			else headers['content-type'] = answer.contentType;
			return { ...right, headers };
		}
		default:
			return right;
	}
}
