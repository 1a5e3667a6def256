/**
 * Checks regular expressions, in a process of its own: in Jest, the checker takes ten times as long.
 *
 * Expressions are checked exactly, by the theory of automata. For look-around and for the largest ones, inputs are tried instead,
 * always the same ones. Limits are numbers of steps, not times, so that the result is the same on every machine.
 *
 * Reads `[{ source, flags }]` as JSON, and writes the status of each: `safe`, `vulnerable`, `unknown` or `too large`.
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

/** For a longer expression, even trying inputs takes minutes. */
const MAX_LENGTH = 1000;

const expressions = JSON.parse(readFileSync(0, 'utf8'));
const statuses = expressions.map(({ source, flags }) =>
	source.length > MAX_LENGTH ? 'too large' : checkSync(source, flags, LIMITS).status,
);
process.stdout.write(JSON.stringify(statuses));
