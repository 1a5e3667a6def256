import { normalized } from '../../basics';
import { languagesWith, phrasesFor } from '../words/phrases';

/** `either`: the prefix means a reply in one language, and a forwarded email in another. */
export type Conversation = 'reply' | 'forward' | 'either' | 'none';

export interface SubjectParts {
	/** The outermost prefix decides. */
	conversation: Conversation;
	/** With `either`, the languages in which the prefix means a forwarded email. */
	forwardLanguages?: string[];
	/** The subject without prefixes and tags, in lower case. */
	topic: string;
}

const REPLY_PREFIXES: ReadonlySet<string> = new Set(phrasesFor('replyPrefixes'));

const FORWARD_PREFIXES: ReadonlySet<string> = new Set(phrasesFor('forwardPrefixes'));

// Longer than all prefixes, including the numbers of some programs: `Re[2]`, `Re (3)`, `Re^4`.
const MAX_PREFIX = 24;

const MAX_PREFIXES = 50;

const MAX_SUBJECT = 1000;

const PREFIX_NUMBER = /(?:\[\d+\]|\(\d+\)|\^\d+|\*\d+)$/;

/** Reads the outermost prefix. Skips tags in brackets, which gateways and mailing lists add. */
export function readSubject(subject: string): SubjectParts {
	let rest = normalized(subject.slice(0, MAX_SUBJECT)).trim();
	let outermost: Prefix | undefined;
	for (let count = 0; count < MAX_PREFIXES; count++) {
		const prefix = readPrefix(rest);
		const length = prefix?.length ?? tagLength(rest);
		if (length === 0) break;
		outermost ??= prefix;
		rest = rest.slice(length).trim();
	}
	const topic = rest.replace(/\s+/g, ' ').toLowerCase();
	if (outermost === undefined) return { conversation: 'none', topic };
	const { conversation, name } = outermost;
	if (conversation !== 'either') return { conversation, topic };
	return { conversation, topic, forwardLanguages: languagesWith('forwardPrefixes', name) };
}

/** The subject of a reply, with one prefix. Keeps the email's own prefix if it is a reply itself. */
export function toReplySubject(subject: string): string {
	let rest = normalized(subject.slice(0, MAX_SUBJECT)).trim();
	let own = '';
	for (let count = 0; count < MAX_PREFIXES; count++) {
		const prefix = readPrefix(rest);
		if (prefix?.conversation !== 'reply') break;
		own ||= rest.slice(0, prefix.length);
		rest = rest.slice(prefix.length).trim();
	}
	const isReply = readSubject(rest).conversation === 'reply';
	return (isReply ? rest : `${own || 'Re:'} ${rest}`).trim().toWellFormed();
}

interface Prefix {
	conversation: Exclude<Conversation, 'none'>;
	/** In lower case, without the colon. */
	name: string;
	/** Characters, with the colon. */
	length: number;
}

function readPrefix(text: string): Prefix | undefined {
	const length = text.slice(0, MAX_PREFIX).search(/[:：]/) + 1;
	if (length === 0) return undefined;
	const numbered = text.slice(0, length - 1).trim();
	const name = numbered.replace(PREFIX_NUMBER, '').trim().toLowerCase();
	const isReply = REPLY_PREFIXES.has(name);
	const isForward = FORWARD_PREFIXES.has(name);
	if (isReply) return { conversation: isForward ? 'either' : 'reply', name, length };
	return isForward ? { conversation: 'forward', name, length } : undefined;
}

/** 0 if it begins with no tag. */
function tagLength(text: string): number {
	return text.startsWith('[') ? text.indexOf(']') + 1 : 0;
}
