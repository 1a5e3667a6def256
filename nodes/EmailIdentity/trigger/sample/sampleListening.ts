import { sleep } from 'n8n-workflow';

import { HOW_TO_ALLOW, toTransportFailure } from '../../api/request';
import { toUrl } from '../../lib/hosts';
import { deriveSecret, withSecret } from '../secret';
import type { HookRequest } from '../subscription/hookRequest';

/** What n8n sends to its own test address while it listens for the sample email. */
export type SampleCall = 'announce' | 'send';

/** Milliseconds. What is asked is on the same machine, or one proxy away. */
const TIMEOUT = 5000;

/** Milliseconds. n8n registers its test address once more after `create`: the email must not come before that. */
const UNTIL_N8N_LISTENS = 1000;

/** What the node answers where its test address is reached. */
export const ANNOUNCED = { status: 'ready' } as const;

/**
 * "Execute step" with Use Sample Email on. n8n can begin an execution of such a node only with a request to its test
 * address (`test-webhooks.js`), so n8n sends itself one; the service hears nothing of it, and nothing has to be public.
 */
export class SampleListening {
	/** n8n's test addresses: `delete` is not told what was listened for. */
	private readonly addresses = new Set<string>();

	/**
	 * Schedules the sample email.
	 *
	 * @throws NodeOperationError when n8n does not reach itself there, or does not allow requests to itself
	 */
	async begin({ endpoint, service, post, failure, log }: HookRequest): Promise<void> {
		const { instanceId, webhookPath, address } = endpoint;
		const { apiKey } = await service({}).credential();
		const secret = deriveSecret(apiKey, { instanceId, webhookPath, listening: 'test' });
		const url = withSecret(address, secret);
		const call = async (sample: SampleCall): Promise<unknown> =>
			await post(url, { sample }, TIMEOUT);
		const answer = await call('announce').catch((error: unknown) => {
			throw failure(unreachable(address, error));
		});
		if ((answer as Partial<typeof ANNOUNCED> | undefined)?.status !== ANNOUNCED.status) {
			throw failure(unreachable(address));
		}
		this.addresses.add(address);
		// n8n answers the editor first.
		void sleep(UNTIL_N8N_LISTENS)
			.then(async () => await call('send'))
			.catch((error: unknown) => log('warn', unreachable(address, error)));
	}

	/** @returns whether the sample email was listened for at the address: there is no subscription to remove then */
	end(address: string): boolean {
		return this.addresses.delete(address);
	}
}

/** @param error thrown by n8n's request to itself, unless something else answered it */
function unreachable(address: string, error?: unknown): string {
	const { origin } = toUrl(address);
	const problem =
		toTransportFailure(error).problem === 'blocked'
			? `n8n does not allow requests to its own address ${origin}, which Use Sample Email needs: ${HOW_TO_ALLOW}. Or remove`
			: `n8n does not reach itself at ${origin}, which Use Sample Email needs. Remove`;
	return `${problem} the option, and paste the email of the README into the output with 'set mock data' instead.`;
}
