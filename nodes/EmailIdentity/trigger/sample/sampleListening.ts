import { NodeOperationError, sleep, type IHookFunctions } from 'n8n-workflow';

import { readCredential } from '../../api/credential';
import { HOW_TO_ALLOW, toTransportFailure } from '../../api/transportFailures';
import { toUrl } from '../../lib/hosts';
import { deriveSecret, secretScope, withSecret } from '../secret';

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
	 * Sees to it that the sample email arrives in a moment.
	 *
	 * @param address n8n's test address for the node
	 * @throws NodeOperationError when n8n does not reach itself there, or does not allow requests to itself
	 */
	async begin(context: IHookFunctions, address: string): Promise<void> {
		const { apiKey } = await readCredential(context);
		const url = withSecret(address, deriveSecret(apiKey, secretScope(context, 'test')));
		const call = async (sample: SampleCall): Promise<unknown> =>
			await context.helpers.httpRequest({
				method: 'POST',
				url,
				body: { sample },
				json: true,
				timeout: TIMEOUT,
			});
		const answer = await call('announce').catch((error: unknown) => {
			throw new NodeOperationError(context.getNode(), unreachable(address, error));
		});
		if ((answer as Partial<typeof ANNOUNCED> | undefined)?.status !== ANNOUNCED.status) {
			throw new NodeOperationError(context.getNode(), unreachable(address));
		}
		this.addresses.add(address);
		// n8n answers the editor first.
		void sleep(UNTIL_N8N_LISTENS)
			.then(async () => await call('send'))
			.catch((error: unknown) => context.logger.warn(unreachable(address, error)));
	}

	/** @returns whether the sample email was listened for at the address: there is no subscription to remove then */
	end(address: string): boolean {
		return this.addresses.delete(address);
	}
}

/** @param error what its request to itself threw, unless it was answered by somebody else */
function unreachable(address: string, error?: unknown): string {
	const { origin } = toUrl(address);
	const problem =
		toTransportFailure(error).problem === 'blocked'
			? `n8n does not allow requests to its own address ${origin}, which Use Sample Email needs: ${HOW_TO_ALLOW}. Or remove`
			: `n8n does not reach itself at ${origin}, which Use Sample Email needs. Remove`;
	return `${problem} the option, and paste the email of the README into the output with 'set mock data' instead.`;
}
