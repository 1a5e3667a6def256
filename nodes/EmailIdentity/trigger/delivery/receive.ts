import { isObject } from '../../api/json';
import { normalizeEventName } from '../../shared/webhooks';
import { SAMPLE_CHECK, sampleEvent } from '../sample/sampleEvent';
import type { SampleCall } from '../sample/sampleListening';
import { deriveSecret, digestSecret, matchesDigest } from '../../shared/secret';
import type { StoredSubscription } from '../staticData';
import { filtered, withoutItems } from './filters';
import { buildItems } from './items';
import { loop } from './loopBrake';
import { readEvent, readReceivedMessage, withEmail, type DeliveredEvent, type Mail } from './mail';
import { keysOf, type Claim } from './onceOnly';
import {
	describeIgnored,
	ignore,
	isReported,
	RefusedDelivery,
	reject,
	type Answer,
	type Ignored,
} from './outcomes';
import type { DeliveryRequest } from './request';
import { isProofLost, unproved } from './senderProof';
import { unwanted, unwantedByPlace } from './unwanted';
import { foreign, ofOtherIdentity, verified } from './whoseMail';

const SECRET_MISSING = {
	status: 401,
	message: 'The secret is missing from the URL: a gateway or proxy must forward the query',
};
/** For Webhook → Audit, which checks that the trigger answers. */
const SECRET_EMPTY = { status: 401, message: 'The secret is empty', level: 'debug' } as const;
const SECRET_WRONG = { status: 401, message: 'The secret in the URL is wrong' };
const CANNOT_CHECK = { status: 503, message: 'The secret cannot be checked right now' };
const BEING_STARTED = {
	status: 503,
	message: 'An earlier delivery of this message is still being processed',
};

type Step = (mail: Mail, request: DeliveryRequest) => Promise<Ignored | undefined>;

/** In the order of the picture in `docs/architecture.md`; the first that ignores an email ends the list. */
const STEPS: readonly Step[] = [
	unwantedByPlace,
	duplicate,
	verified,
	foreign,
	unwanted,
	ofOtherIdentity,
	filtered,
	withoutItems,
	unproved,
];

/**
 * Starts the workflow once, or answers why not. Never throws, and nothing of the content reaches the log.
 *
 * | delivery | answer |
 * | --- | --- |
 * | without the right secret | 401 |
 * | not JSON, or not in the shape of the contract | 400 |
 * | of an event that was not asked for, or ignored by a step | 200, ignored |
 * | unknown to the service, with Verify With the API | 403 |
 * | that cannot be verified or checked, whose owner is not known, or whose repeat has no outcome yet | 503 |
 * | that this node fails to process | 500 |
 */
export async function receive(request: DeliveryRequest): Promise<Answer> {
	const answer = await decide(request).catch(toRefusal);
	logAnswer(request, answer);
	return answer;
}

async function decide(request: DeliveryRequest): Promise<Answer> {
	const subscription = await authenticate(request);
	const body = await request.readBody();
	const { parameters, scope } = request;
	const isTest = scope.listening === 'test';
	if (parameters.useSampleEmail && isTest) return await sample(body, request);
	const event = readEvent(body);
	if (normalizeEventName(event.event) !== parameters.event) return ignore('event');
	const mail = toMail(event, request, subscription);
	const answer = await toAnswer(mail, request);
	if (!isTest || answer.outcome !== 'ignored' || !isReported(answer)) return answer;
	return { ...answer, subject: (await mail.email.open()).subject };
}

async function toAnswer(mail: Mail, request: DeliveryRequest): Promise<Answer> {
	for (const step of STEPS) {
		const ignored = await step(mail, request);
		if (ignored) return ignored;
	}
	return await startOnce(mail, request);
}

function toMail(
	event: DeliveredEvent,
	request: DeliveryRequest,
	subscription?: StoredSubscription,
): Mail {
	const email = withEmail(readReceivedMessage(event), request);
	return { event, subscription, delivered: email, email };
}

/**
 * The stored digest spares decrypting the credential, and keeps deliveries valid after the API key was
 * changed, until the subscription was given its new URL. Where there is none (a delivery that arrives
 * before n8n saved its static data, a renamed node), the secret is derived from the credential.
 *
 * @returns the stored subscription if it is that one's secret
 */
async function authenticate({
	secret,
	scope,
	stored,
	service,
}: DeliveryRequest): Promise<StoredSubscription | undefined> {
	if (secret === undefined) reject(SECRET_MISSING);
	if (secret === '') reject(SECRET_EMPTY);
	const { secretDigest } = stored ?? {};
	if (typeof secretDigest === 'string' && matchesDigest(secret, secretDigest)) return stored;
	const { apiKey } = await service({})
		.credential()
		.catch(() => reject(CANNOT_CHECK));
	if (!matchesDigest(secret, digestSecret(deriveSecret(apiKey, scope)))) reject(SECRET_WRONG);
	return undefined;
}

/** A test event is not remembered, and not ignored because it was seen. */
async function duplicate(mail: Mail, request: DeliveryRequest): Promise<Ignored | undefined> {
	const { memory, scope, workflowId, parameters, seen } = request;
	const { ignoreDuplicates } = parameters;
	if (ignoreDuplicates === 'off' || scope.listening === 'test') return undefined;
	const messages = memory.onceOnly.of([scope.instanceId, workflowId, scope.webhookPath].join('/'));
	if (messages.merge(seen)) request.remember(messages);
	const isById = ignoreDuplicates === 'sameMessageId';
	const messageId = isById ? (await mail.delivered.open()).thread.messageId : null;
	const keys = keysOf(mail.delivered.received, messageId);
	mail.once = { messages, keys };
	return messages.hasAny(keys) ? ignore('duplicate') : undefined;
}

/** The message is claimed only here, when little is left to do: no email waits for the check of a forged copy's sender. */
async function startOnce(mail: Mail, request: DeliveryRequest): Promise<Answer> {
	const { messages, keys = [] } = mail.once ?? {};
	const claim = await messages?.claim(keys, request.closed);
	if (claim === 'duplicate') return ignore('duplicate');
	if (claim === 'doubtful') reject(BEING_STARTED);
	let answer: Answer | undefined;
	try {
		answer = await start(mail, request, claim);
		return answer;
	} finally {
		if (answer?.outcome !== 'started') claim?.release();
	}
}

async function start(mail: Mail, request: DeliveryRequest, claim?: Claim): Promise<Answer> {
	const looping = await loop(mail, request);
	if (looping) return looping;
	const items = await buildItems(mail, request);
	const accept = () => {
		claim?.accept();
		if (mail.once) request.remember(mail.once.messages);
	};
	return isProofLost(request.parameters, items) ?? { outcome: 'started', items, accept };
}

/**
 * The sample email is built like any other, but passes no step.
 *
 * @param body what n8n sent to itself, see `SampleListening`
 */
async function sample(body: unknown, request: DeliveryRequest): Promise<Answer> {
	if (!isObject(body) || body.sample !== ('send' satisfies SampleCall)) return { outcome: 'ready' };
	const { parameters } = request;
	const mail = toMail(sampleEvent(), request);
	if (parameters.senderCheck !== 'off') mail.sender = SAMPLE_CHECK;
	const items = await buildItems(mail, request, { ...parameters, filters: {} });
	return { outcome: 'started', items, accept: () => undefined };
}

/** An error's message may quote what it stumbled over, so only its kind is logged. */
function toRefusal(error: unknown): Answer {
	if (error instanceof RefusedDelivery) return { outcome: 'refused', ...error.refusal };
	const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
	return {
		outcome: 'refused',
		status: 500,
		message: 'The delivery could not be processed',
		because: [name, code].filter((text) => text !== undefined).join(' '),
		level: 'error',
	};
}

function logAnswer(request: DeliveryRequest, answer: Answer): void {
	if (answer.outcome === 'refused') {
		const { status, message, because, level = 'warn' } = answer;
		const why = [`${status}, ${message}`, because].filter((text) => text !== undefined);
		request.log(level, 'refused', why.join(': '));
	} else if (answer.outcome === 'ignored') {
		// Repeats are ordinary; what is taken for one by its Message-ID may be something else (see SECURITY.md).
		const isOrdinary =
			answer.reason === 'duplicate' && request.parameters.ignoreDuplicates !== 'sameMessageId';
		request.log(isOrdinary ? 'debug' : 'info', 'ignored', describeIgnored(answer));
	}
}
