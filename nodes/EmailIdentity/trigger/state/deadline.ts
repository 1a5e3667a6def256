import type { ServiceOptions } from '../../api/service';
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
	const expired = new Promise<never>((_resolve, reject) => {
		signal.addEventListener('abort', () => reject(new TookTooLong()), { once: true });
	});
	const worked = work({ ...host, service });
	return await Promise.race([worked, expired]).catch((error: unknown) => {
		if (!signal.aborted) throw error;
		// A request that the deadline ended says nothing.
		throw lastFailure ?? new TookTooLong();
	});
}
