import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { triggerStaticData, type StoredSubscription } from '../staticData';
import {
	RefusedDelivery,
	reject,
	respondIgnored,
	respondRefused,
	startWith,
	type Refusal,
} from './responses';
import { authenticate, listeningOf } from './authenticate';
import { buildItems } from './buildItems';
import { deliveredEmail, type DeliveredEmail } from './deliveredEmail';
import { logDelivery } from './deliveryLog';
import { failedFilter, isFiltering } from './filters';
import { describeHeldBack, endListening, type HeldBack } from './heldBack';
import { isOwnMail, whyForeign } from './foreignMail';
import { claimMessage } from './messageClaim';
import { isLooping } from './loopBrake';
import { isForIdentity } from './oneIdentity';
import { readBody } from './readBody';
import { isOfEvent, readEvent, readEventData, type DeliveredEvent } from './readEvent';
import { toldRecipient } from '../../shared/recipient';
import { readDeliveryParameters, type DeliveryParameters } from '../parameters';
import { proveSender, withProof } from './senderProof';
import { takeSample } from './takeSample';
import { unwantedByPlace, whyUnwanted } from './unwantedMail';
import { verifyMessage } from './verifyMessage';
import { hasItems } from './wantedFiles';

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
 * What happens to one delivery of the service: it starts the workflow once, or it is answered
 * with the reason why not. It never throws, and nothing of its content reaches a log: a line that says why a
 * delivery was not taken does, at most once a minute. While somebody listens for a test event, an email that is held
 * back ends the listening with an error that says why.
 *
 * | delivery | answer |
 * | --- | --- |
 * | without the right secret | 401 |
 * | not JSON, or not in the shape of the contract | 400 |
 * | for another identity than the one that is chosen | 200, ignored |
 * | that may be, and the subscription is not restricted just then | 503 |
 * | of an event that was not asked for, a duplicate, another account's, unwanted (Ignore), one of a loop, held back by a filter, or without the attachments that items are made of | 200, ignored |
 * | unknown to the service, with Verify With the API | 403 |
 * | whose sender has to be proved, while the DNS cannot be asked | 503 |
 * | that can't be verified, of which nobody can say whose it is, or whose repeat is under way without an outcome | 503 |
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
	const subscription = await authenticate(context);
	const body = await readBody(context.getRequestObject());
	const parameters = readDeliveryParameters(context);
	if (parameters.useSampleEmail && listeningOf(context) === 'test') {
		return await takeSample(context, body, parameters);
	}
	const delivered = readEvent(body);
	if (!isOfEvent(delivered, parameters.event)) {
		return ignore(context, { reason: 'event' }, parameters);
	}
	const email = deliveredEmail(readEventData(parameters.event, delivered));
	const unwanted = unwantedByPlace(parameters.ignore, email);
	if (unwanted) return ignore(context, { reason: unwanted }, parameters);
	const claim = await claimMessage(context, email.received, email.open, parameters);
	if (claim === 'duplicate') return ignore(context, { reason: 'duplicate' }, parameters);
	if (claim === 'doubtful') reject(BEING_STARTED);
	let read: INodeExecutionData[] | HeldBack | undefined;
	try {
		read = await readItems(context, delivered, email, parameters, subscription);
	} finally {
		if (!Array.isArray(read)) claim.release(triggerStaticData(context));
	}
	if (!Array.isArray(read)) return ignore(context, read, parameters);
	claim.handOver();
	return startWith(read, () => claim.accept(triggerStaticData(context)));
}

/**
 * @param subscription the one that the delivery came through, where it is known
 * @returns why the message is held back, if it is
 */
async function readItems(
	context: IWebhookFunctions,
	delivered: DeliveredEvent,
	unverified: DeliveredEmail,
	parameters: DeliveryParameters,
	subscription: StoredSubscription | undefined,
): Promise<INodeExecutionData[] | HeldBack> {
	const { filters, simplify, verify } = parameters;
	const email = verify ? await verifyWanted(context, unverified, parameters) : unverified;
	if ('reason' in email) return email;
	const { received } = email;
	if (!isOwnMail(received, subscription)) {
		// What was verified the API key may read; the service's copy tells if it is another workspace's.
		const foreign = await whyForeign(context, received, { subscription, isReadable: verify });
		if (foreign) return foreign;
	}
	const opened = simplify || isFiltering(filters) ? await email.open() : undefined;
	const unwanted = await whyUnwanted(parameters.ignore, email);
	if (unwanted) return { reason: unwanted };
	const { identityId } = parameters;
	const isMeant =
		identityId === null || (await isForIdentity(context, identityId, [email, unverified]));
	if (!isMeant) return { reason: 'otherIdentity' };
	const recipient = opened ? toldRecipient(email.received, opened) : null;
	const filter = opened && (await failedFilter(filters, opened, recipient));
	if (filter) return { reason: 'filtered', filter };
	if (opened && !(await hasItems(parameters, opened))) return { reason: 'noAttachment' };
	const proof = opened && (await proveSender(context, received, opened, parameters));
	if (proof && 'reason' in proof) return proof;
	if (await isLooping(context, email)) return { reason: 'loop' };
	const shown = simplify ? opened : undefined;
	const items = await buildItems(
		context,
		delivered,
		{ received, opened: shown, ...proof },
		parameters,
	);
	return withProof(items, parameters);
}

/** The service's copy may come without folder, headers and raw email, and need not be asked for what is unwanted. */
async function verifyWanted(
	context: IWebhookFunctions,
	unverified: DeliveredEmail,
	{ ignore }: DeliveryParameters,
): Promise<DeliveredEmail | HeldBack> {
	const unwanted = await whyUnwanted(ignore, unverified);
	if (unwanted) return { reason: unwanted };
	return deliveredEmail(await verifyMessage(context, unverified.received));
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
