/**
 * Does several things at the same time. If one fails, the others are stopped, and all have ended when this throws.
 *
 * @template {readonly unknown[]} Results
 * @param {(signal: AbortSignal) => { [Index in keyof Results]: Promise<Results[Index]> }} start starts them; the signal stops them
 * @param {AbortSignal} [outer] stops them too
 * @returns {Promise<Results>}
 * @throws what the first one threw that failed
 */
export async function together(start, outer) {
	const failure = new AbortController();
	const signal = outer ? AbortSignal.any([outer, failure.signal]) : failure.signal;
	const works = start(signal);
	for (const work of works) work.catch((error) => failure.abort(error));
	await Promise.allSettled(works);
	signal.throwIfAborted();
	return await Promise.all(works);
}
