import { sleep } from 'n8n-workflow';

import type { DnsAnswer, DnsRecordType, DnsResolver } from './resolver';

/** How long questions are repeated that came to nothing. Milliseconds. */
export interface Patience {
	/** From the first question on, all questions together. */
	total: number;
	/** Before the first repeat; each further pause is twice as long. */
	firstPause: number;
}

/**
 * Repeats questions to which a server or the resolver failed, until time is up: most such failures are over in a moment.
 * What there is not (no such name, no such records) is an answer like any other.
 */
export function askPatiently(resolver: DnsResolver, { total, firstPause }: Patience): DnsResolver {
	const tooLate = {
		status: 'unreachable',
		reason: `no answer within ${total / 1000} seconds`,
	} as const;
	let end: { time: number; reached: Promise<void> } | undefined;
	return {
		async ask<Type extends DnsRecordType>(name: string, type: Type): Promise<DnsAnswer<Type>> {
			const { time, reached } = (end ??= { time: Date.now() + total, reached: expiry(total) });
			let before: DnsAnswer<Type> | undefined;
			for (let pause = firstPause; ; pause *= 2) {
				const told = await Promise.race([resolver.ask(name, type), reached.then(() => undefined)]);
				// Why it failed before says more than that time is up.
				const answer: DnsAnswer<Type> = told ?? before ?? tooLate;
				const isAnswered = answer.status !== 'serverFailure' && answer.status !== 'unreachable';
				if (isAnswered || Date.now() + pause >= time) return answer;
				before = answer;
				await sleep(pause);
			}
		},
	};
}

async function expiry(milliseconds: number): Promise<void> {
	const signal = AbortSignal.timeout(milliseconds);
	await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
