import { unlessAborted } from '../../api/request';
import type { EmailIdentityService, ServiceOptions } from '../../api/service';

export class TookTooLong extends Error {
	constructor() {
		super(
			'The service took too long to respond. Check that it is running, and the base URL in the credential. Then try again.',
		);
	}
}

/** Gives all requests of a call one deadline. */
export async function inTime<
	Host extends { service(options: ServiceOptions): EmailIdentityService },
	Result,
>(host: Host, signal: AbortSignal, work: (limited: Host) => Promise<Result>): Promise<Result> {
	const service: Host['service'] = (options) => host.service({ ...options, signal });
	const done = async () => ({ result: await work({ ...host, service }) });
	const ended = await unlessAborted(done, signal).catch((error: unknown) => {
		if (!signal.aborted) throw error;
	});
	if (!ended) throw new TookTooLong();
	return ended.result;
}
