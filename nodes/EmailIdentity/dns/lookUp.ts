import type { ApiContext } from '../api/types';
import { toUrl } from '../lib/hosts';
import { MOST_ALIASES } from './aliases';
import { askOverHttps, type Reply } from './askOverHttps';
import type { DnsFact, Question } from './message';
import type { DnsAnswer, DnsRecordType } from './resolver';
import { ResolverOrder } from './resolverOrder';

/** An answer, and for how many seconds it holds. */
export interface LookedUp<Type extends DnsRecordType = DnsRecordType> {
	answer: DnsAnswer<Type>;
	seconds: number;
}

/** What none of the resolvers could tell. */
type Failure = Exclude<DnsAnswer, DnsFact>;

interface Bounds {
	/** Milliseconds since 1970. */
	deadline: number;
	signal: AbortSignal;
}

const resolverOrder = new ResolverOrder();

/**
 * Finds the records of a name, also where it stands for other names that the resolver did not follow.
 *
 * @param patience milliseconds in all
 * @param signal ends it early
 */
export async function lookUp<Type extends DnsRecordType>(
	context: ApiContext,
	addresses: readonly string[],
	{ name, type }: Question<Type>,
	patience: number,
	signal: AbortSignal,
): Promise<LookedUp<Type>> {
	const bounds = { deadline: Date.now() + patience, signal };
	const names = new Set<string>();
	let seconds = Infinity;
	for (let target = name; !names.has(target) && names.size <= MOST_ALIASES;) {
		names.add(target);
		const reply = await askInOrder(context, addresses, { name: target, type }, bounds);
		if ('status' in reply) return { answer: reply, seconds: 0 };
		seconds = Math.min(seconds, reply.seconds);
		if (reply.kind === 'fact') return { answer: reply.answer, seconds };
		target = reply.target;
	}
	const reason = 'the name stands for too many others, or for itself';
	return { answer: { status: 'serverFailure', reason }, seconds: 0 };
}

/**
 * Asks one resolver after the other, until one of them knows; what time is left is shared by those still to be asked. What
 * was ended from outside tells nothing of a resolver.
 */
async function askInOrder<Type extends DnsRecordType>(
	context: ApiContext,
	addresses: readonly string[],
	question: Question<Type>,
	{ deadline, signal }: Bounds,
): Promise<Extract<Reply<Type>, { seconds: number }> | Failure> {
	const problems: string[] = [];
	let status: Failure['status'] = 'unreachable';
	const order = resolverOrder.order(addresses);
	for (const [asked, address] of order.entries()) {
		const behind = order.slice(asked + 1);
		const share = Math.floor((deadline - Date.now()) / (behind.length + 1));
		const timeout = Math.min(share, resolverOrder.longestWait(address, behind));
		if (timeout <= 0 || signal.aborted) break;
		const reply = await askOverHttps(context, address, question, { timeout, signal });
		if (!signal.aborted) {
			resolverOrder.learn(address, reply.kind === 'unreachable' ? reply.standing : 'answers');
		}
		if ('seconds' in reply) return reply;
		// That one of them was asked and could not find out says more than that another was not asked.
		if (reply.kind === 'failure') status = 'serverFailure';
		problems.push(`${toUrl(address).host} ${reply.says}`);
	}
	return { status, reason: problems.join('; ') || 'there was no time left to ask' };
}
