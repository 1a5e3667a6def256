import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { styleText } from 'node:util';
import type { N8n } from '../../test/support/n8n';
import { SetupFailure } from '../setup/failure.mjs';
import { aboveActivities } from '../setup/progress.mjs';

/** The exit code that shells know for Ctrl-C. */
const INTERRUPTED = 130;

export interface Run {
	/** Aborts when the command is asked to end. */
	signal: AbortSignal;
	/** Called at the end, the last one first. */
	atEnd(close: () => unknown): void;
}

export function write(lines: readonly string[]): void {
	aboveActivities(() => process.stdout.write(`${lines.join('\n')}\n`));
}

export function bold(text: string): string {
	return process.stdout.isTTY ? styleText('bold', text) : text;
}

/** Runs a command to its end or until Ctrl-C. Everything it starts or writes is gone afterwards. */
export async function runAndLeaveNothing(work: (run: Run) => Promise<void>): Promise<void> {
	const interruption = new AbortController();
	const { signal } = interruption;
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(name, () => interruption.abort());
	}
	const folder = await mkdtemp(join(tmpdir(), 'email-identity-demo-'));
	// For the packed package, n8n's folder, and what a program that is interrupted leaves behind.
	Object.assign(process.env, { TMPDIR: folder, TEMP: folder });
	const closers: (() => unknown)[] = [];
	try {
		await work({ signal, atEnd: (close) => void closers.push(close) });
	} catch (error) {
		if (!signal.aborted) throw error;
		process.exitCode = INTERRUPTED;
	} finally {
		for (const close of closers.reverse()) await close();
		await rm(folder, { recursive: true, force: true, maxRetries: 3 });
		write(['', 'Stopped; nothing is left.']);
	}
}

/** Resolves when the command is asked to end. @throws when n8n ended by itself */
export async function untilInterrupted(signal: AbortSignal, n8n: N8n): Promise<void> {
	if (!signal.aborted) await Promise.race([once(signal, 'abort'), n8n.ended()]);
	if (!signal.aborted) throw new SetupFailure(`n8n ended by itself:\n${n8n.log.tail()}`);
}

/** Calls back for each line that is typed, one after another; a failure is shown. @returns ends it */
export function onEachLine(act: (line: string) => Promise<void>): () => void {
	const lines = createInterface({ input: process.stdin });
	const fail = (error: unknown) => write([`That did not work: ${String(error)}`]);
	let last = Promise.resolve();
	lines.on('line', (line) => {
		last = last.then(() => act(line.trim().toLowerCase())).catch(fail);
	});
	return () => lines.close();
}
