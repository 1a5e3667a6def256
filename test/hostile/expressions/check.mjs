/**
 * Judges regular expressions, in a process of its own: in Jest, the checker takes ten times as long.
 *
 * Expressions are judged exactly, by the theory of automata. Look-around and the largest ones are beyond that: for these,
 * inputs are tried, always the same. Limits are numbers of steps, never times, so that every machine says the same.
 *
 * Reads `[{ source, flags }]` as JSON, and writes what each is: `safe`, `vulnerable`, `unknown` or `too large`.
 */
import { readFileSync } from 'node:fs';

// The package's own JavaScript: no binary, no Java, no worker.
process.env.RECHECK_SYNC_BACKEND = 'pure';
const { checkSync } = await import('recheck');

const LIMITS = {
	checker: 'auto',
	timeout: null,
	maxRepeatCount: 100,
	attackTimeout: null,
	incubationTimeout: null,
	recallTimeout: -1,
	maxIteration: 1,
	maxInitialGenerationSize: 50,
	attackLimit: 5_000_000,
	randomSeed: 1,
};

/** Even trying takes minutes for more. */
const MAX_LENGTH = 1000;

const expressions = JSON.parse(readFileSync(0, 'utf8'));
const statuses = expressions.map(({ source, flags }) =>
	source.length > MAX_LENGTH ? 'too large' : checkSync(source, flags, LIMITS).status,
);
process.stdout.write(JSON.stringify(statuses));
