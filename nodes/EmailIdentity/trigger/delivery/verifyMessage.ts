import type { IWebhookFunctions } from 'n8n-workflow';

import { isRouteMissing, lacksRight, statusOf } from '../../api/errors';
import { readMessage, type ServiceMessage } from '../../api/messages';
import { createService } from '../../api/service';
import type { Entry } from '../../api/types';
import { reject } from './responses';

/** The sender of the delivery is waiting meanwhile. Times in milliseconds. */
const RETRY = { attempts: 3, total: 8_000, firstDelay: 250, longestDelay: 2_000, timeout: 5_000 };

const UNKNOWN_MESSAGE = { status: 403, message: 'The service does not know this message' };
const CANNOT_ASK = {
	status: 503,
	message: 'The message cannot be verified just now',
	retryAfter: 60,
};

/** With these the service says something about the key or itself, not about the message. */
const SAYS_NOTHING: ReadonlySet<number> = new Set([401, 408, 425, 429]);

/**
 * Fetches the delivered message from the service with the user's own key, so that nothing of what was
 * delivered has to be believed but the ID.
 *
 * @returns the service's copy; it has no raw email where the service keeps none
 * @throws RefusedDelivery 403 for a message that the service does not know or that is someone else's,
 * 503 when it cannot be asked, or gives no single messages at all
 */
export async function verifyMessage(
	context: IWebhookFunctions,
	{ id }: ServiceMessage,
): Promise<ServiceMessage> {
	if (id === null) reject({ ...UNKNOWN_MESSAGE, because: 'the delivery names none' });
	const known = readMessage(await fetchMessage(context, id));
	if (known.id !== null && known.id !== id) {
		reject({ ...UNKNOWN_MESSAGE, because: 'it gave another one' });
	}
	return { ...known, id };
}

async function fetchMessage(context: IWebhookFunctions, id: string): Promise<Entry> {
	try {
		return await createService(context, { retry: RETRY }).getMessage(id);
	} catch (error) {
		if (isRouteMissing(error)) reject({ ...CANNOT_ASK, because: 'it cannot give single messages' });
		const status = statusOf(error);
		const isUnknown =
			status !== undefined &&
			status >= 400 &&
			status < 500 &&
			!SAYS_NOTHING.has(status) &&
			!lacksRight(error);
		const because =
			status === undefined ? 'it gave no answer that can be read' : `it answered ${status}`;
		reject({ ...(isUnknown ? UNKNOWN_MESSAGE : CANNOT_ASK), because });
	}
}
