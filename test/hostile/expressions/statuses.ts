import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { cacheFolder } from '../../../scripts/setup/cache.mjs';
import type { Expression } from './collect';

const CHECKER = join(__dirname, 'check.mjs');

/** A status depends only on the expression, the checker and its limits, so the machine's cache keeps it. */
const file = join(
	cacheFolder(),
	'expressions',
	`${createHash('sha256')
		.update(readFileSync(CHECKER))
		.update(readFileSync(require.resolve('recheck/package.json')))
		.digest('hex')
		.slice(0, 16)}.json`,
);

const keyOf = ({ source, flags }: Expression) => `/${source}/${flags}`;

/**
 * The status of each expression, by `check.mjs`. It takes seconds for some, so only new expressions are checked.
 *
 * @param signal ends the checkers
 */
export async function statusesOf(
	expressions: Expression[],
	signal: AbortSignal,
): Promise<string[]> {
	const known = readKnown();
	const unknown = expressions.filter((expression) => known[keyOf(expression)] === undefined);
	const processes = availableParallelism();
	// Distributed in turn, because slow expressions are next to each other.
	const shares = Array.from({ length: processes }, (_, process) =>
		unknown.filter((_expression, index) => index % processes === process),
	);
	const statuses = await Promise.all(shares.map(async (share) => await check(share, signal)));
	shares.forEach((share, process) =>
		share.forEach((expression, index) => (known[keyOf(expression)] = statuses[process]![index]!)),
	);
	mkdirSync(join(file, '..'), { recursive: true });
	writeFileSync(file, JSON.stringify(known));
	return expressions.map((expression) => known[keyOf(expression)]!);
}

function readKnown(): Record<string, string> {
	try {
		return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
	} catch {
		return {};
	}
}

async function check(expressions: Expression[], signal: AbortSignal): Promise<string[]> {
	if (expressions.length === 0) return [];
	return await new Promise((resolve, reject) => {
		const child = execFile(process.execPath, [CHECKER], { signal }, (error, output) =>
			error ? reject(error) : resolve(JSON.parse(output) as string[]),
		);
		child.stdin?.end(JSON.stringify(expressions));
	});
}
