import { isObject } from '../../api/json';
import { SAMPLE_CHECK, sampleEvent } from '../sample/sampleEvent';
import { ANNOUNCED, type SampleCall } from '../sample/sampleListening';
import { deriveSecret, digestSecret, matchesDigest } from '../secret';
import type { StoredSubscription } from '../staticData';
import { filtered, withoutItems } from './filters';
import { buildItems } from './items';
import { loop } from './loopBrake';
import {
	isOfEvent,
	readEvent,
	readReceivedMessage,
	withEmail,
	type DeliveredEvent,
	type Mail,
} from './mail';
import { keysOf, type Claim } from './onceOnly';
import {
	describeIgnored,
	isReported,
	RefusedDelivery,
	reject,
	type Answer,
	type Ignored,
	type Refusal,
} from './outcomes';
import type { DeliveryRequest } from './request';
import { isProofLost, isSenderChecked, unproved } from './senderProof';
import { unwanted, unwantedByPlace } from './unwanted';
import { foreign, ofOtherIdentity, verified } from './whoseMail';

const SECRET_MISSING = {
	status: 401,
	message: 'The secret is missing from the URL: a gateway or proxy must forward the query',
};
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
 * Decides what becomes of one delivery: it starts the workflow once, or it is answered with the reason why not. Never
 * throws, and nothing of its content reaches the log.
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
	let answer: Answer;
	try {
		answer = await decide(request);
	} catch (error) {
		answer = {
			status: 'refused',
			refusal: error instanceof RefusedDelivery ? error.refusal : failureOf(error),
		};
	}
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
	if (!isOfEvent(event, parameters.event)) {
		return { status: 'ignored', ignored: { reason: 'event' } };
	}
	const mail = toMail(event, request, subscription);
	const answer = await toAnswer(mail, request);
	if (!isTest || answer.status !== 'ignored' || !isReported(answer.ignored)) return answer;
	return { ...answer, subject: (await mail.email.open()).subject };
}

async function toAnswer(mail: Mail, request: DeliveryRequest): Promise<Answer> {
	for (const step of STEPS) {
		const ignored = await step(mail, request);
		if (ignored) return { status: 'ignored', ignored };
	}
	return await startOnce(mail, request);
}

function toMail(
	event: DeliveredEvent,
	request: DeliveryRequest,
	subscription?: StoredSubscription,
): Mail {
	const isSigned = isSenderChecked(request.parameters);
	const email = withEmail(readReceivedMessage(event), isSigned, request.pause);
	return { event, subscription, delivered: email, email };
}

/**
 * Checks the secret of the subscription's URL.
 *
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
	const { ignoreDuplicates } = request.parameters;
	if (ignoreDuplicates === 'off' || request.scope.listening === 'test') return undefined;
	const messages = messagesOf(request);
	if (messages.learn(request.seen)) request.remember(messages);
	const isById = ignoreDuplicates === 'sameMessageId';
	const messageId = isById ? (await mail.delivered.open()).thread.messageId : null;
	mail.keys = keysOf(mail.delivered.received, messageId);
	return messages.has(mail.keys) ? { reason: 'duplicate' } : undefined;
}

function messagesOf({ memory, scope, workflowId }: DeliveryRequest) {
	return memory.onceOnly.of([scope.instanceId, workflowId, scope.webhookPath].join('/'));
}

/** The message is claimed only here, when little is left to do: no email waits for the check of a forged copy's sender. */
async function startOnce(mail: Mail, request: DeliveryRequest): Promise<Answer> {
	const claim = mail.keys && (await messagesOf(request).claim(mail.keys, request.closed));
	if (claim === 'duplicate') return { status: 'ignored', ignored: { reason: 'duplicate' } };
	if (claim === 'doubtful') reject(BEING_STARTED);
	let answer: Answer | undefined;
	try {
		answer = await start(mail, request, claim);
		return answer;
	} finally {
		if (answer?.status !== 'started') claim?.release();
	}
}

async function start(mail: Mail, request: DeliveryRequest, claim?: Claim): Promise<Answer> {
	const looping = await loop(mail, request);
	if (looping) return { status: 'ignored', ignored: looping };
	const items = await buildItems(mail, request);
	const lost = isProofLost(request.parameters, items);
	if (lost) return { status: 'ignored', ignored: lost };
	const accept = () => {
		if (!claim) return;
		claim.accept();
		request.remember(messagesOf(request));
	};
	return { status: 'started', items, accept };
}

const SEND: SampleCall = 'send';

/**
 * Starts the workflow by hand with the sample email, built like any other. Receive For, Ignore, Filters and Ignore Duplicates do
 * not apply to it.
 *
 * @param body what n8n sent to itself, see `SampleListening`
 */
async function sample(body: unknown, request: DeliveryRequest): Promise<Answer> {
	if (!isObject(body) || body.sample !== SEND) return ANNOUNCED;
	const { parameters } = request;
	const mail = toMail(sampleEvent(), request);
	if (isSenderChecked(parameters)) mail.sender = SAMPLE_CHECK;
	const items = await buildItems(mail, request, { ...parameters, filters: {} });
	return { status: 'started', items, accept: () => undefined };
}

/** An error's message may quote what it stumbled over, so only its kind is logged. */
function failureOf(error: unknown): Refusal {
	const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
	return {
		status: 500,
		message: 'The delivery could not be processed',
		because: [name, code].filter((text) => text !== undefined).join(' '),
		level: 'error',
	};
}

function logAnswer({ log, parameters }: DeliveryRequest, answer: Answer): void {
	if (answer.status === 'refused') {
		const { status, message, because, level = 'warn' } = answer.refusal;
		const why = [`${status}, ${message}`, because].filter((text) => text !== undefined);
		log(level, 'refused', why.join(': '));
	} else if (answer.status === 'ignored') {
		// Repeats are ordinary; what is taken for one by its Message-ID may be something else (see SECURITY.md).
		const isOrdinary =
			answer.ignored.reason === 'duplicate' && parameters.ignoreDuplicates !== 'sameMessageId';
		log(isOrdinary ? 'debug' : 'info', 'ignored', describeIgnored(answer.ignored));
	}
}
