import { SetupFailure } from './failure.mjs';

const FIRST_SIGN_OF_LIFE_MS = 1_000;
const SIGN_OF_LIFE_EVERY_MS = 10_000;

/** On a terminal, the lines of what is going on are written again this often. */
const REDRAW_EVERY_MS = 1_000;

const isTerminal = process.stderr.isTTY === true && process.env.TERM !== 'dumb';

/** What is going on, in the order in which it began. Each returns its line. @type {Set<() => string>} */
const activities = new Set();

/** How many lines of activities the terminal shows, below everything else. */
let shownLines = 0;

/** Writes a line to standard error, so that standard output stays for results. @param {string} line */
export function say(line) {
	aboveActivities(() => process.stderr.write(`${line}\n`));
}

/** Keeps the lines of activities at the end of the terminal while something else is written. @param {() => unknown} write */
export function aboveActivities(write) {
	if (shownLines > 0) process.stderr.write(`\x1b[${shownLines}A\x1b[J`);
	shownLines = 0;
	write();
	if (isTerminal) drawActivities();
}

/** Each line is written over the one before, so that nothing flickers. */
function drawActivities() {
	const width = process.stderr.columns || 80;
	const lines = [...activities].map((line) => `${line().slice(0, width - 1)}\x1b[K\n`);
	const up = shownLines > 0 ? `\x1b[${shownLines}A` : '';
	process.stderr.write(`${up}${lines.join('')}`);
	shownLines = lines.length;
}

/** A duration for people: `0.8 s`, `12 s`, `2 min 5 s`. @param {number} milliseconds @returns {string} */
export function duration(milliseconds) {
	if (milliseconds < 10_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
	const seconds = Math.round(milliseconds / 1_000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Shows an activity if it takes longer than a second, and how long it took: in one line that changes on a terminal, else in a line
 * every ten seconds. Several may go on at the same time.
 *
 * @template T
 * @param {string} activity
 * @param {() => Promise<T>} work
 * @param {{ progress?: () => string }} [options] `progress`: how much is done, such as `3 of 10 packages`
 * @returns {Promise<T>}
 * @throws {SetupFailure} one of the work names the activity
 */
export async function whileSaying(activity, work, { progress } = {}) {
	const start = performance.now();
	const line = () => {
		const parts = [duration(performance.now() - start), ...(progress ? [progress()] : [])];
		return `${activity} … (${parts.join(', ')})`;
	};
	let isShown = false;
	const openingTimer = setTimeout(() => {
		isShown = true;
		if (isTerminal) activities.add(line);
		else say(`${activity} …`);
		if (isTerminal) drawActivities();
	}, FIRST_SIGN_OF_LIFE_MS);
	const reminder = setInterval(
		() => {
			if (!isTerminal) say(`  … still: ${line()}`);
			else if (isShown) drawActivities();
		},
		isTerminal ? REDRAW_EVERY_MS : SIGN_OF_LIFE_EVERY_MS,
	);
	const end = (/** @type {string} */ result) => {
		clearTimeout(openingTimer);
		clearInterval(reminder);
		activities.delete(line);
		if (isShown) say(`${activity}: ${result} ${duration(performance.now() - start)}`);
	};
	try {
		const result = await work();
		end('done in');
		return result;
	} catch (error) {
		end('stopped after');
		if (!(error instanceof SetupFailure)) throw error;
		throw new SetupFailure(`${activity} failed: ${error.message}`, error.details);
	}
}
