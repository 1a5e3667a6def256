/** Runs in a process of its own, which is ended when it takes too long: reads what it is sent, one after the other. */
import { watchBlocks } from './blocks';
import { FAMILIES } from '../families';
import { ordinaryEmail } from './ordinary';
import { waysOf, type Way } from './ways';

/** What is to be read: an ordinary email a number of times, or one input of a family on one way. */
export type Task =
	| { ordinary: true; size: number; times: number }
	| { family: string; size: number; input: number; way: number };

export type Report =
	/** All that can be read of a family, by the inputs' numbers. */
	| { inputs: string[][] }
	/** The input is made, and now it is read. */
	| { started: true }
	| Figures;

export interface Figures {
	milliseconds: number;
	/** The longest time in which the process could do nothing else. */
	longestBlock: number;
	/** What came of it where that was an error. */
	thrown?: string;
}

async function perform(task: Task): Promise<Figures> {
	const ways = 'ordinary' in task ? ordinaryWays(task.size, task.times) : [hostileWay(task)];
	process.send?.({ started: true } satisfies Report);
	const blocks = await watchBlocks();
	const start = performance.now();
	let thrown: string | undefined;
	for (const way of ways) {
		await way.read().catch((error: unknown) => (thrown = String(error).slice(0, 200)));
	}
	const milliseconds = performance.now() - start;
	const longestBlock = await blocks.end();
	return { milliseconds, longestBlock, ...(thrown !== undefined && { thrown }) };
}

function ordinaryWays(size: number, times: number): Way[] {
	const [way] = waysOf({ rawEmail: ordinaryEmail(size) });
	return Array.from({ length: times }, () => way as Way);
}

function hostileWay({ family, size, input, way }: Exclude<Task, { ordinary: true }>): Way {
	const hostile = FAMILIES.find(({ name }) => name === family)?.make(size)[input];
	const found = hostile && waysOf(hostile)[way];
	if (!found) throw new Error(`There is no input ${input} of "${family}" on way ${way}.`);
	return found;
}

process.on('message', (task: Task | { list: string }) => {
	if ('list' in task) {
		const inputs = FAMILIES.find(({ name }) => name === task.list)?.make(1000) ?? [];
		process.send?.({ inputs: inputs.map((input) => waysOf(input).map(({ name }) => name)) });
	} else {
		void perform(task).then((figures) => process.send?.(figures));
	}
});
