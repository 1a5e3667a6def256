import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { readMessageFields, type ServiceMessage } from '../../api/message';
import { openEmail, type OpenedEmail } from '../../email';
import { triggerStaticData } from '../staticData';
import {
	RefusedDelivery,
	reject,
	respondIgnored,
	respondRefused,
	startWith,
	type Refusal,
} from './responses';
import { authenticate, listeningOf } from './authenticate';
import { buildItem } from './buildItem';
import { logDelivery } from './deliveryLog';
import { failedFilter, isFiltering } from './filters';
import { describeHeldBack, endListening, type HeldBack } from './heldBack';
import { claimMessage } from './idempotency';
import { readBody } from './readBody';
import { isOfEvent, readEvent, readEventData, type DeliveredEvent } from './readEvent';
import { readDeliveryParameters, type DeliveryParameters } from '../parameters';
import { verifyMessage } from './verifyMessage';

const FAILED: Refusal = {
	status: 500,
	message: 'The delivery could not be processed',
	retryAfter: 60,
};
const BEING_STARTED: Refusal = {
	status: 503,
	message: 'An earlier delivery of this message is still being processed',
	retryAfter: 60,
};

/**
 * What happens to one delivery of the service: it starts the workflow with one item, or it is answered
 * with the reason why not. It never throws, and nothing of its content reaches a log: a line that says why a
 * delivery was not taken does, at most once a minute. While somebody listens for a test event, an email that is held
 * back ends the listening with an error that says why.
 *
 * | delivery | answer |
 * | --- | --- |
 * | without the right secret | 401 |
 * | not JSON, or not in the shape of the contract | 400 |
 * | of an event that was not asked for, a duplicate, or held back by a filter | 200, ignored |
 * | unknown to the service, with Verify With the API | 403 |
 * | that can't be verified, or whose repeat is under way without an outcome | 503 |
 * | that n8n fails to take over | 500 |
 */
export async function receiveDelivery(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await processDelivery(this);
	} catch (error) {
		if (error instanceof RefusedDelivery) return refuse(this, error.refusal);
		logFailure(this, error);
		return respondRefused(this, FAILED);
	}
}

async function processDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	await authenticate(context);
	const delivered = readEvent(await readBody(context.getRequestObject()));
	const parameters = readDeliveryParameters(context);
	if (!isOfEvent(delivered, parameters.event))
		return ignore(context, { reason: 'event' }, parameters);
	const received = readEventData(parameters.event, delivered);
	const open = opener(received);
	const claim = await claimMessage(context, received, open, parameters);
	if (claim === 'duplicate') return ignore(context, { reason: 'duplicate' }, parameters);
	if (claim === 'doubtful') reject(BEING_STARTED);
	let read: INodeExecutionData | HeldBack | undefined;
	try {
		read = await readItem(context, delivered, { received, open }, parameters);
	} finally {
		if (!read || !('json' in read)) claim.release(triggerStaticData(context));
	}
	if (!('json' in read)) return ignore(context, read, parameters);
	claim.handOver();
	return startWith(read, () => claim.accept(triggerStaticData(context)));
}

/** @returns why the message is held back, if it is */
async function readItem(
	context: IWebhookFunctions,
	delivered: DeliveredEvent,
	unverified: { received: ServiceMessage; open: () => Promise<OpenedEmail> },
	parameters: DeliveryParameters,
): Promise<INodeExecutionData | HeldBack> {
	const { filters, simplify, verify } = parameters;
	const received = verify ? await verifyMessage(context, unverified.received) : unverified.received;
	const open = verify ? opener(received) : unverified.open;
	const opened = simplify || isFiltering(filters) ? await open() : undefined;
	const filter = opened && failedFilter(filters, opened);
	if (filter) return { reason: 'filtered', filter };
	return await buildItem(context, delivered, received, simplify ? opened : undefined, parameters);
}

/** Opens an email when that is first asked for, and only then. */
function opener({ rawEmail, message }: ServiceMessage): () => Promise<OpenedEmail> {
	let opening: Promise<OpenedEmail> | undefined;
	return async () => await (opening ??= openEmail(rawEmail, () => readMessageFields(message)));
}

function refuse(context: IWebhookFunctions, refusal: Refusal): IWebhookResponseData {
	const { status, message, because } = refusal;
	logDelivery(context, 'warn', {
		outcome: 'refused',
		why: [`${status}, ${message}`, because].filter((text) => text !== undefined).join(': '),
	});
	return respondRefused(context, refusal);
}

/** Repeats are ordinary; what is taken for one by its Message-ID may be something else (see SECURITY.md). */
function ignore(
	context: IWebhookFunctions,
	heldBack: HeldBack,
	{ ignoreDuplicates }: DeliveryParameters,
): IWebhookResponseData {
	const isOrdinary = heldBack.reason === 'duplicate' && ignoreDuplicates !== 'sameMessageId';
	logDelivery(context, isOrdinary ? 'debug' : 'info', {
		outcome: 'ignored',
		why: describeHeldBack(heldBack),
	});
	const ended = listeningOf(context) === 'test' ? endListening(heldBack) : undefined;
	return ended ?? respondIgnored(heldBack.reason);
}

/** An error's message may quote what it stumbled over, so only its kind is logged. */
function logFailure(context: IWebhookFunctions, error: unknown): void {
	const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
	logDelivery(context, 'error', {
		outcome: 'not processed',
		why: [name, code].filter((text) => text !== undefined).join(' '),
	});
}
