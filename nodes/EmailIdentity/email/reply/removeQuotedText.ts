import type { Pace } from '../../lib/pause';
import type { Bodies } from '../bodyText';
import type { Email } from '../types';
import { newHtml } from './newHtml';
import { newPlainText } from './plainText';
import { readSubject } from './subjectPrefixes';

/**
 * Leaves of an answer what is new in it, without the earlier emails that it quotes and without its signature. An email
 * that answers none, or that was forwarded, stays as it is.
 */
export async function removeQuotedText(
	bodies: Bodies,
	email: Pick<Email, 'subject' | 'thread'>,
	pace: Pace,
): Promise<Bodies> {
	const { conversation, topic } = readSubject(email.subject);
	const isLinked = email.thread.inReplyTo !== null || email.thread.references.length > 0;
	if (conversation === 'forward' || (conversation === 'none' && !isLinked)) return bodies;
	return {
		text: bodies.text === null ? null : await newPlainText(bodies.text, topic, pace),
		html: bodies.html === null ? null : await newHtml(bodies.html, topic, pace),
	};
}
