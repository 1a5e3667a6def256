/** Runs in a process of its own: what one delivery's duplicate check costs with few and many messages seen. */
import { EventEmitter } from 'node:events';
import { IdempotencyGuard } from '../../nodes/EmailIdentity/trigger/delivery/idempotencyGuard';
import { keysOf } from '../../nodes/EmailIdentity/trigger/delivery/messageKeys';
import type { TriggerStaticData } from '../../nodes/EmailIdentity/trigger/staticData';
import { inTurn } from '../measure/inTurn';

export interface MemoryTask {
	/** One memory is filled for each of these. */
	seen: number[];
	rounds: number;
	/** Checks timed in each round. */
	checks: number;
}

/** Microseconds for one delivery. */
export interface MemoryFigures {
	/** A message that was not seen: claimed, and given free again. */
	fresh: number;
	/** A message that was seen. */
	repeated: number;
	/** A message that was not seen, claimed, accepted and stored as n8n stores it. */
	stored: number;
}

/** By the number of messages seen, one a round. */
export type MemoryResults = Record<string, MemoryFigures[]>;

const MICROSECONDS = 1000;
const STORED_CHECKS = 100;

type Response = Parameters<IdempotencyGuard['claim']>[2];

/** As much of n8n's response as tells whether it accepted a delivery. */
class Answer extends EventEmitter {
	statusCode = 200;
	writableEnded = true;
}

const newAnswer = () => new Answer() as unknown as Response & Answer;

/** The check begins with what tells the message from others. */
const digestsOf = (id: string) => keysOf({ id, message: {}, rawEmail: `Subject: ${id}` }, null);

const ids = (prefix: string, count: number): string[] =>
	Array.from({ length: count }, (_, index) => `${prefix} ${index}`);

async function claim(memory: IdempotencyGuard, id: string, data: TriggerStaticData) {
	const answer = newAnswer();
	const claimed = await memory.claim(digestsOf(id), data, answer);
	if (typeof claimed === 'string') throw new Error(`A new message counted as ${claimed}.`);
	return { claimed, answer };
}

/** A memory that has seen so many messages, and what is stored of it. */
async function fill(seen: number): Promise<{ memory: IdempotencyGuard; saved: string }> {
	const memory = new IdempotencyGuard();
	for (const id of ids('seen', seen)) (await claim(memory, id, {})).claimed.accept({});
	const data: TriggerStaticData = {};
	const { claimed } = await claim(memory, 'last', data);
	claimed.accept(data);
	const saved = JSON.stringify(data);
	return { memory, saved };
}

async function contestant(seen: number, { checks }: MemoryTask) {
	const filled = await fill(seen);
	const { memory } = filled;
	let { saved } = filled;
	const staticData = JSON.parse(saved) as TriggerStaticData;
	const fresh = ids('new', checks);
	const known = ids('seen', seen).slice(-10);
	let round = 0;

	const checkFresh = async (id: string) => {
		(await claim(memory, id, staticData)).claimed.release(staticData);
	};
	const checkKnown = async (_: string, index: number) => {
		const answer = newAnswer();
		const claimed = await memory.claim(
			digestsOf(known[index % known.length] ?? ''),
			staticData,
			answer,
		);
		if (claimed !== 'duplicate') throw new Error('A repeat counted as new.');
	};
	/** As n8n does: static data out of the database, the check, static data back into it. */
	const accept = async (id: string) => {
		const data = JSON.parse(saved) as TriggerStaticData;
		const { claimed } = await claim(memory, id, data);
		claimed.accept(data);
		saved = JSON.stringify(data);
	};
	return {
		check: async () => ({
			fresh: await timed(fresh, checkFresh),
			repeated: await timed(fresh, checkKnown),
		}),
		// Changes what is seen, so it comes when the checks are done.
		store: async () => ({
			stored: await timed(ids(`round ${round++}`, STORED_CHECKS), accept),
		}),
	};
}

async function measure(task: MemoryTask): Promise<MemoryResults> {
	const contestants: [string, Awaited<ReturnType<typeof contestant>>][] = [];
	for (const seen of task.seen) contestants.push([String(seen), await contestant(seen, task)]);
	const by = <Result>(pick: (one: (typeof contestants)[number][1]) => () => Promise<Result>) =>
		Object.fromEntries(contestants.map(([seen, one]) => [seen, pick(one)]));
	const checks = by(({ check }) => check);
	await inTurn(checks, 3);
	const checked = await inTurn(checks, task.rounds);
	const stored = await inTurn(
		by(({ store }) => store),
		Math.min(task.rounds, 20),
	);
	return Object.fromEntries(
		Object.entries(checked).map(([seen, figures]) => [
			seen,
			figures.map((figure, round) => {
				const own = stored[seen] ?? [];
				return { ...figure, stored: own[round % own.length]?.stored ?? NaN };
			}),
		]),
	);
}

async function timed(
	inputs: string[],
	check: (input: string, index: number) => Promise<void>,
): Promise<number> {
	const start = performance.now();
	for (const [index, input] of inputs.entries()) await check(input, index);
	return ((performance.now() - start) * MICROSECONDS) / inputs.length;
}

void measure(JSON.parse(process.argv[2] ?? '{}') as MemoryTask).then((figures) => {
	process.stdout.write(JSON.stringify(figures));
});
