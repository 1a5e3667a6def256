import { compare, inTurn } from '../measure';
import type { Bench, Benchmark, Comparison } from '../types';
import { measurable, receiveMessages, splitOut, startActionHost } from './actionHost';

const ITEMS = 500;
const LATENCY_MS = 20;

const EXTRA_IDENTITIES = 10_000;

const WARM_UP_ROUNDS = 2;
const ROUNDS = 15;
const QUICK_ROUNDS = 3;

/** One request for each item. */
export const messages: Benchmark = {
	name: 'messages',
	title: `How long Message Get takes for ${ITEMS} items, with a service that takes ${LATENCY_MS} ms`,
	async run(bench: Bench) {
		const { n8n, sandbox, emailIdentity, httpRequest, stop } = await startActionHost();
		try {
			const ids = await receiveMessages(sandbox, ITEMS);
			sandbox.setLatency(LATENCY_MS);
			const id = '{{ $json.ids }}';
			const get = emailIdentity({ resource: 'message', operation: 'get', messageId: `=${id}` });
			const ours = await measurable(n8n, [get], ITEMS, ids);
			const theirs = await measurable(n8n, [httpRequest(`/messages/${id}`)], ITEMS, ids);
			return [await contest({ ours, against: 'HTTP Request node', theirs, atMost: 1 }, bench)];
		} finally {
			await stop();
		}
	},
};

/** One item for each entry of a long list. */
export const identities10k: Benchmark = {
	name: 'identities-10k',
	title: 'How long Identity Get Many takes for 10,000 identities, with Return All',
	async run(bench: Bench) {
		const host = await startActionHost(EXTRA_IDENTITIES);
		const { n8n, sandbox, emailIdentity, httpRequest, stop } = host;
		try {
			const count = sandbox.accounts.owner.identities.length;
			const getAll = emailIdentity({
				resource: 'identity',
				operation: 'getAll',
				returnAll: true,
				simplify: true,
			});
			const list = [httpRequest('/identities'), splitOut('Split Out', 'data')] as const;
			const ours = await measurable(n8n, [getAll], count);
			const theirs = await measurable(n8n, list, count);
			const against = 'HTTP Request and Split Out nodes';
			return [await contest({ ours, against, theirs, atMost: 1.15 }, bench)];
		} finally {
			await stop();
		}
	},
};

/** Workflows, which give their milliseconds. */
interface Contest {
	ours(): Promise<number>;
	against: string;
	theirs(): Promise<number>;
	/** How many times as long ours may take. */
	atMost: number;
}

async function contest(
	{ ours, against, theirs, atMost }: Contest,
	{ quick }: Bench,
): Promise<Comparison> {
	await inTurn({ ours, theirs }, WARM_UP_ROUNDS);
	const times = await inTurn({ ours, theirs }, quick ? QUICK_ROUNDS : ROUNDS);
	const goal = { of: 'ratio', atMost } as const;
	return compare({ what: 'time', unit: 'ms', ...times, against, goal });
}
