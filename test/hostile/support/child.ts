/** Runs in a process of its own, which is ended when it takes too long: performs the tasks that it is sent, one after the other. */
import { FAMILIES } from '../families';
import { writeInput, type Input } from '../cost/input';
import { emailOf, fill } from './family';
import { watchMemory } from './memory';
import { watchPieces } from './pieces';
import { waysOf, type Way } from './ways';

/** What is to be read: an ordinary email a number of times, or one input of a family in one way. */
export type Task = { ordinary: true; size: number; times: number } | HostileTask | CostTask;

/** An email that the test wrote itself. */
interface CostTask {
	input: Input;
	size: number;
}

interface HostileTask {
	family: string;
	size: number;
	input: number;
	way: number;
	/** How many are read at the same time; default: one. */
	together?: number;
}

export type Report =
	/** All that can be read of a family, by the inputs' numbers. */
	| { inputs: string[][] }
	/** The input is made; its reading begins. */
	| { started: true }
	| Figures;

export interface Figures {
	milliseconds: number;
	/** The time that processors worked for this process, in milliseconds: other work of the machine makes no difference. */
	processorMs: number;
	/** Of that, the longest piece in which the process could do nothing else. */
	longestPiece: number;
	/** Bytes that were needed at most, above what the process had with the input in its hands. */
	peakMemory: number;
	/** The error that a reader threw. */
	thrown: string | undefined;
}

async function perform(task: Task): Promise<Figures> {
	const times = 'ordinary' in task ? task.times : 1;
	const way = wayOf(task);
	way.prepare?.();
	process.send?.({ started: true } satisfies Report);
	const memory = watchMemory();
	const pieces = watchPieces();
	const start = performance.now();
	const usedBefore = process.cpuUsage();
	let thrown: string | undefined;
	const read = async () =>
		await way.read().catch((error: unknown) => (thrown = String(error).slice(0, 200)));
	const together = 'together' in task ? (task.together ?? 1) : 1;
	for (let time = 0; time < times; time++) {
		await Promise.all(Array.from({ length: together }, read));
	}
	const { user, system } = process.cpuUsage(usedBefore);
	const milliseconds = performance.now() - start;
	const longestPiece = pieces.end();
	const processorMs = (user + system) / 1000;
	return { milliseconds, processorMs, longestPiece, peakMemory: memory.end(), thrown };
}

function wayOf(task: Task): Way {
	if ('ordinary' in task) return ordinaryWay(task.size);
	if ('family' in task) return hostileWay(task);
	return waysOf({ rawEmail: asItArrives(writeInput(task.input, task.size)) })[0]!;
}

/** One string, as from JSON. One that was joined of pieces would be joined again by the first reader. */
function asItArrives(text: string): string {
	return Buffer.from(text, 'utf16le').toString('utf16le');
}

const ROW = `<tr><td style="padding:4px 8px;font-family:Arial,sans-serif"><a href="https://shop.example.com/p/1042?c=mail">Lamp
 &ldquo;Ada&rdquo;</a></td><td><b>49.00&nbsp;&euro;</b><br>In stock, at your door in two days.</td></tr>\r\n`;

/**
 * A newsletter as shops send it: HTML only, so that its text has to be made. No other honest email of its size takes longer
 * to read.
 */
function ordinaryWay(size: number): Way {
	const html = `<html><body><table>${fill(size, ROW)}</table>`;
	return waysOf({ rawEmail: emailOf('text/html; charset=utf-8', html) })[0]!;
}

function hostileWay({ family, size, input, way }: HostileTask): Way {
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
