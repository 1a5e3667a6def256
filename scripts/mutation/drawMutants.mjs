import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';

const QUIET = {
	debug() {},
	info() {},
	isDebugEnabled: () => false,
};

const OPTIONS = {
	plugins: null,
	ignorers: [],
	excludedMutations: [],
	noHeader: false,
	mutator: { plugins: null, excludedMutations: [] },
};

/**
 * A random selection of the changes that Stryker makes in a folder or file; the same for the same seed.
 *
 * @returns the drawn changes, each with the file's `content` after it, and the number of `all`
 */
export async function drawMutants(project, path, { count, seed }) {
	const files = sourcesOf(join(project, path)).map((name) => ({
		name,
		mutate: true,
		content: readFileSync(name, 'utf8'),
	}));
	const { mutants } = await new Instrumenter(QUIET).instrument(files, OPTIONS);
	const tried = mutants.filter(({ status }) => status !== 'Ignored');
	const random = randomFrom(seed);
	const drawn = tried
		.map((mutant) => ({ mutant, lot: random() }))
		.sort((one, other) => one.lot - other.lot)
		.slice(0, count)
		.map(({ mutant }) => applied(project, mutant));
	return { drawn, all: tried.length };
}

function sourcesOf(path) {
	if (statSync(path).isFile()) return [path];
	return readdirSync(path, { recursive: true })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => join(path, name))
		.sort();
}

function applied(project, { fileName, location, mutatorName, replacement }) {
	const content = readFileSync(fileName, 'utf8');
	const start = offsetOf(content, location.start);
	const end = offsetOf(content, location.end);
	return {
		file: relative(project, fileName),
		line: location.start.line + 1,
		mutator: mutatorName,
		before: content.slice(start, end),
		after: replacement,
		content: content.slice(0, start) + replacement + content.slice(end),
	};
}

function offsetOf(content, { line, column }) {
	let offset = 0;
	for (let passed = 0; passed < line; passed++) offset = content.indexOf('\n', offset) + 1;
	return offset + column;
}

/** Lehmer's generator, because `Math.random` cannot be seeded. */
function randomFrom(seed) {
	const MODULUS = 2_147_483_647;
	let state = (seed % (MODULUS - 1)) + 1;
	return () => {
		state = (state * 48_271) % MODULUS;
		return state / MODULUS;
	};
}
