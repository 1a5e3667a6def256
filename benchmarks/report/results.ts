import { readFile, writeFile } from 'node:fs/promises';
import type { Outcome } from '../types';

/** What one run of one benchmark found, and on what. */
export interface Result extends Outcome {
	name: string;
	title: string;
	/** ISO 8601 */
	measuredAt: string;
	quick: boolean;
	machine: string;
	/** Programs that wanted to run on each core when the measurement began; 1 is one that never rests. */
	busy: number;
	/** The n8n that was measured in. */
	n8n: string;
}

/** By the benchmark's name: each holds what its newest run found. */
export type Results = Record<string, Result>;

/** @returns nothing measured yet when the file is missing */
export async function readResults(file: string): Promise<Results> {
	try {
		return JSON.parse(await readFile(file, 'utf8')) as Results;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
		throw error;
	}
}

export async function writeResults(file: string, results: Results): Promise<void> {
	await writeFile(file, `${JSON.stringify(results, roundNumbers, '\t')}\n`);
}

/** Six digits are more than any of it means. */
function roundNumbers(_: string, value: unknown): unknown {
	return typeof value === 'number' ? Number(value.toPrecision(6)) : value;
}
