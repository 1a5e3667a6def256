import { sleep } from 'n8n-workflow';

import { HOW_TO_ALLOW, toTransportFailure } from '../../api/failures/transportFailure';
import { toUrl } from '../../../../lib/basics';
import { deriveSecret, withSecret } from '../../shared/secret';
import { ANNOUNCED, type SampleCall } from '../sampleCalls';
import { SAMPLE_MS } from '../times';
import type { HookRequest } from '../state/hookRequest';

/**
 * Use Sample Email. n8n starts a test execution of a webhook node only on a request to its test URL (`test-webhooks.js`), so
 * n8n sends a request to itself. The service is not involved, and the URL need not be public.
 */
export class SampleListening {
	/** n8n does not tell `delete` what it listened for. */
	private readonly addresses = new Set<string>();

	/** @throws NodeOperationError when n8n cannot reach itself there, or does not allow requests to itself */
	async begin({ endpoint, service, post, failure, log }: HookRequest): Promise<void> {
		const { instanceId, webhookPath, address } = endpoint;
		const { apiKey } = await service({}).credential();
		const secret = deriveSecret(apiKey, { instanceId, webhookPath, listening: 'test' });
		const url = withSecret(address, secret);
		const call = async (sample: SampleCall) => await post(url, { sample }, SAMPLE_MS.request);

		const answer = await call('announce').catch((error: unknown) => {
			throw failure(unreachable(address, error));
		});
		const { status } = Object(answer) as Partial<typeof ANNOUNCED>;
		if (status !== ANNOUNCED.status) throw failure(unreachable(address));
		this.addresses.add(address);

		// n8n answers the editor first.
		void sleep(SAMPLE_MS.untilN8nListens)
			.then(async () => await call('send'))
			.catch((error: unknown) => log('warn', unreachable(address, error)));
	}

	/** @returns whether n8n listened for the sample email at the address, so that there is no subscription to remove */
	end(address: string): boolean {
		return this.addresses.delete(address);
	}
}

/** @param error absent if something other than n8n answered */
function unreachable(address: string, error?: unknown): string {
	const { origin } = toUrl(address);
	const isBlocked = toTransportFailure(error).problem === 'blocked';
	const problem = isBlocked ? `does not allow: ${HOW_TO_ALLOW}` : 'cannot reach';
	return `'Use Sample Email' needs requests to n8n's own URL ${origin}, which n8n ${problem}. You can turn it off and use 'set mock data' in the output with the email from the README instead.`;
}
