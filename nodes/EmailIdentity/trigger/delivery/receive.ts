import { isObject } from '../../api/json';
import { normalizeEventName } from '../../shared/webhooks';
import { SAMPLE_CHECK, sampleEvent } from '../sample/sampleEvent';
import type { SampleCall } from '../sample/sampleListening';
import { deriveSecret, digestSecret, matchesDigest } from '../../shared/secret';
import { filtered, withoutItems } from './filters';
import { buildItems } from './items';
import { loop } from './loopBrake';
import { readEvent, toMail, type Mail, type Step } from './mail';
import { keysOf } from './onceOnly';
import { ignore, refuse, RefusedDelivery, reject, reportOf, type Answer } from './outcomes';
import { hasStoredSecret, type DeliveryRequest } from './request';
import { isProofLost, unproved } from './senderProof';
import { unwanted, unwantedByPlace } from './unwanted';
import { foreign, ofOtherIdentity, verified } from './whoseMail';

/** A test event is not remembered, and not ignored because it was seen. */
const duplicate: Step = async (mail, request) => {
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
};

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

/** Starts the workflow once, or answers why not. Never throws, and nothing of the content reaches the log. */
export async function receive(request: DeliveryRequest): Promise<Answer> {
	const answer = await decide(request).catch(toRefusal);
	logAnswer(request, answer);
	return answer;
}

async function decide(request: DeliveryRequest): Promise<Answer> {
	await authenticate(request);
	const body = await request.readBody();
	const { parameters, scope } = request;
	const isTest = scope.listening === 'test';
	if (parameters.useSampleEmail && isTest) return await sample(body, request);
	const event = readEvent(body);
	if (normalizeEventName(event.event) !== parameters.event) return ignore('event');
	const mail = toMail(event, request);
	const answer = await toAnswer(mail, request);
	if (!isTest || answer.outcome !== 'ignored') return answer;
	return { ...answer, report: reportOf(answer, (await mail.email.open()).subject) };
}

/**
 * The stored digest spares decrypting the credential, and keeps deliveries valid after the API key was
 * changed, until the subscription was given its new URL. Where there is none (a delivery that arrives
 * before n8n saved its static data, a renamed node), the secret is derived from the credential.
 */
async function authenticate(request: DeliveryRequest): Promise<void> {
	const { secret, scope, service } = request;
	if (secret === undefined) reject('secretMissing');
	if (secret === '') reject('secretEmpty');
	if (hasStoredSecret(request)) return;
	const { apiKey } = await service({})
		.credential()
		.catch(() => reject('secretUnchecked'));
	if (!matchesDigest(secret, digestSecret(deriveSecret(apiKey, scope)))) reject('secretWrong');
}

async function toAnswer(mail: Mail, request: DeliveryRequest): Promise<Answer> {
	for (const step of STEPS) {
		const ignored = await step(mail, request);
		if (ignored) return ignored;
	}
	return await startOnce(mail, request);
}

/** The message is claimed only here, when little is left to do: no email waits for the check of a forged copy's sender. */
async function startOnce(mail: Mail, request: DeliveryRequest): Promise<Answer> {
	const { messages, keys = [] } = mail.once ?? {};
	const claim = await messages?.claim(keys, request.closed);
	if (claim === 'duplicate') return ignore('duplicate');
	if (claim === 'doubtful') reject('beingStarted');
	let isStarted = false;
	try {
		const looping = await loop(mail, request);
		if (looping) return looping;
		const items = await buildItems(mail, request);
		const lost = isProofLost(request.parameters, items);
		if (lost) return lost;
		isStarted = true;
		const accept = () => {
			claim?.accept();
			if (messages) request.remember(messages);
		};
		return { outcome: 'started', items, accept };
	} finally {
		if (!isStarted) claim?.release();
	}
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
	const items = await buildItems(mail, { ...request, parameters: { ...parameters, filters: {} } });
	return { outcome: 'started', items, accept: () => undefined };
}

/** An error's message may quote what it stumbled over, so only its kind is logged. */
function toRefusal(error: unknown): Answer {
	if (error instanceof RefusedDelivery) return error.answer;
	const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
	return refuse('failed', [name, code].filter((text) => text !== undefined).join(' '));
}

function logAnswer(request: DeliveryRequest, answer: Answer): void {
	if (answer.outcome === 'refused') {
		const { status, message, because, level } = answer;
		const why = [`${status}, ${message}`, because].filter((text) => text !== undefined);
		request.log(level, 'refused', why.join(': '));
	} else if (answer.outcome === 'ignored') {
		const { reason, filter, warning } = answer;
		if (warning !== undefined)
			return request.log('warn', 'ignored', warning, request.memory.hourlyThrottle);
		// Repeats are ordinary; what is taken for one by its Message-ID may be something else (see SECURITY.md).
		const isOrdinary =
			reason === 'duplicate' && request.parameters.ignoreDuplicates !== 'sameMessageId';
		const why = filter === undefined ? reason : `${reason} (${filter})`;
		request.log(isOrdinary ? 'debug' : 'info', 'ignored', why);
	}
}
