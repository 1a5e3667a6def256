import { keysOf } from './onceOnly';
import { ignore, refuse } from './outcomes';
import type { Step } from './stages';

/** A test event is not remembered, and not ignored because it was seen. */
export const duplicate: Step = async (letter, { memory, pause, remember }) => {
	const { scope, workflowId, parameters, seen, delivered } = letter;
	const { ignoreDuplicates } = parameters;
	if (ignoreDuplicates === 'off' || scope.listening === 'test') return letter;
	const isById = ignoreDuplicates === 'sameMessageId';
	const messageId = isById ? (await delivered.open()).thread.messageId : null;
	const keys = await keysOf(delivered.received, messageId, pause);
	const messages = memory.onceOnly.of([scope.instanceId, workflowId, scope.webhookPath].join('/'));
	if (messages.merge(seen)) remember(messages);
	if (messages.hasAny(keys)) return ignore('duplicate', { level: levelOf(isById) });
	return { ...letter, once: { messages, keys } };
};

/** After the slow steps, so that no email waits until a forged copy's sender is checked. `startOnce` ends the claim. */
export const claimed: Step = async (letter) => {
	const { once, closed, parameters } = letter;
	if (!once) return letter;
	const claim = await once.messages.claim(once.keys, closed);
	const isById = parameters.ignoreDuplicates === 'sameMessageId';
	if (claim === 'duplicate') return ignore('duplicate', { level: levelOf(isById) });
	if (claim === 'doubtful') return refuse('beingStarted');
	return { ...letter, once: { ...once, claim } };
};

/** Repeats are ordinary; an email with the same Message-ID may be another one (see SECURITY.md). */
const levelOf = (isById: boolean) => (isById ? 'info' : 'debug');
