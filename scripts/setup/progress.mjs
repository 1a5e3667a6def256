const FIRST_SIGN_OF_LIFE_MS = 1_000;
const SIGN_OF_LIFE_EVERY_MS = 10_000;

/** Writes a line to standard error, so that standard output stays for results. @param {string} line */
export function say(line) {
	process.stderr.write(`${line}\n`);
}

/** A duration for people: `0.8 s`, `12 s`, `2 min 5 s`. @param {number} milliseconds @returns {string} */
export function duration(milliseconds) {
	if (milliseconds < 10_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
	const seconds = Math.round(milliseconds / 1_000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Prints an activity if it takes longer than a second, again every ten seconds, and how long it took.
 *
 * @template T
 * @param {string} activity
 * @param {() => Promise<T>} work
 * @param {{ progress?: () => string }} [options] `progress`: how much is done, such as `3 of 10 packages`
 * @returns {Promise<T>}
 */
export async function whileSaying(activity, work, options = {}) {
	const { progress } = options;
	const start = performance.now();
	const opening = () => say(`${activity} …`);
	let opened = false;
	const openingTimer = setTimeout(() => {
		opened = true;
		opening();
	}, FIRST_SIGN_OF_LIFE_MS);
	const reminder = setInterval(() => {
		const parts = [duration(performance.now() - start), ...(progress ? [progress()] : [])];
		say(`  … still: ${activity} (${parts.join(', ')})`);
	}, SIGN_OF_LIFE_EVERY_MS);
	try {
		const result = await work();
		if (opened) say(`  done in ${duration(performance.now() - start)}`);
		return result;
	} finally {
		clearTimeout(openingTimer);
		clearInterval(reminder);
	}
}
