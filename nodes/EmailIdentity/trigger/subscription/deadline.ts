import type { ServiceOptions } from '../../api/service';
import { unlessAborted } from '../../api/cancellation';
import type { HookHost } from './hookHost';

/** No answer of the service says why. */
export class TookTooLong extends Error {
	constructor() {
		super(
			'The service took too long to respond. Check that it is running, and the base URL in the credential. Then try again.',
		);
	}
}

/**
 * Gives all requests of some work one deadline.
 *
 * @throws at the deadline, the last failure because of which a request was repeated, because it says more than the deadline;
 *   otherwise `TookTooLong`
 */
export async function withinDeadline<Lender extends HookHost, Result>(
	host: Lender,
	signal: AbortSignal,
	work: (limited: Lender) => Promise<Result>,
): Promise<Result> {
	let lastFailure: Error | undefined;
	const service = (options: ServiceOptions) =>
		host.service({ ...options, signal, onRepeat: (failure) => (lastFailure = failure) });
	const worked = async () => ({ result: await work({ ...host, service }) });
	const ended = await unlessAborted(worked, signal).catch((error: unknown) => {
		// A request that the deadline ended says nothing.
		if (!signal.aborted) throw error;
	});
	if (ended) return ended.result;
	throw lastFailure ?? new TookTooLong();
}
