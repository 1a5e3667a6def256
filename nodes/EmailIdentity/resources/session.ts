import type { IExecuteFunctions } from 'n8n-workflow';

import { createService } from '../api/service';
import type { Session } from './operation';
import { WebhookRegister } from './webhook/register';

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
		ownerId: service.ownerId,
		credential: service.credential,
		webhooks: new WebhookRegister(service),
	};
}
