import type { IExecuteFunctions } from 'n8n-workflow';

import { readCredential } from '../api/credential';
import { toUser } from '../api/fields';
import { createService } from '../api/service';
import type { Session } from './operation';
import { WebhookRegister } from './webhook/register';

/** Reads a value once for all; a reading that failed is not kept. */
const once = <Value>(read: () => Promise<Value>): (() => Promise<Value>) => {
	let reading: Promise<Value> | undefined;
	return async () => {
		if (reading === undefined) {
			reading = read();
			reading.catch(() => {
				reading = undefined;
			});
		}
		return await reading;
	};
};

/**
 * Opens the service for one execution of the node.
 *
 * @param maxConcurrentRequests how many requests may be under way at a time
 */
export function openSession(context: IExecuteFunctions, maxConcurrentRequests: number): Session {
	const service = createService(context, { shareReads: true, maxConcurrentRequests });
	return {
		context,
		service,
		ownerId: once(async () => toUser(await service.getUser()).userId),
		credential: once(async () => await readCredential(context)),
		webhooks: new WebhookRegister(service),
	};
}
