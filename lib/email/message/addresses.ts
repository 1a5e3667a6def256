import {
	decodeWords,
	endOfComment,
	endOfMatch,
	oneLine,
	WORD_HERE,
	withoutComments,
} from '../mime/headerFields';
import { EMAIL_LIMITS } from '../limits';
import type { EmailAddress } from '../types';

/** Quoted strings, encoded words and addresses by their first character. An unclosed address ends with the mailbox. */
const ENCLOSED: ReadonlyMap<string, RegExp> = new Map([
	['"', /"(?:[^"\\]|\\[^])*"/y],
	['=', WORD_HERE],
	['<', /<(?:[^<>]*>|[^<>,;]*(?=(?:[,;][^<>]*)?$))/y],
]);

const ENCODED_MAILBOX = /^[^<>]*<[^<>\s@]+@[^<>\s@]+>$/;

/** Characters without spaces, except in quotes. */
interface Word {
	text: string;
	written: string;
	/** Whether it has an at sign outside quotes. */
	hasAt: boolean;
}

interface Draft {
	words: Word[];
	comments: string[];
	word?: Word;
	bracketed?: string;
}

const newDraft = (): Draft => ({ words: [], comments: [] });

interface Mailbox extends EmailAddress {
	isInBrackets: boolean;
	/** The character that ends it. */
	end: string;
}

/** Reads the mailboxes in an address header. Groups are replaced by their members (RFC 5322, 3.4). */
export function parseAddresses(value: string): EmailAddress[] {
	return toAddresses(joinNames(readMailboxes(value.slice(0, EMAIL_LIMITS.addressList))));
}

export function toAddresses(mailboxes: EmailAddress[]): EmailAddress[] {
	return mailboxes
		.map(({ name, address }) => ({ name: oneLine(name), address: oneLine(address) }))
		.filter(({ name, address }) => name !== '' || address !== '');
}

/** Names without quotes may contain commas: `Smith, Bob <bob@example.com>`. */
function joinNames(mailboxes: Mailbox[]): EmailAddress[] {
	const joined: EmailAddress[] = [];
	let names: Mailbox[] = [];
	for (const mailbox of mailboxes) {
		const { address, isInBrackets, end } = mailbox;
		names.push(mailbox);
		if (address === '' && end === ',') continue;
		const name = names
			.map((one) => one.name)
			.filter(Boolean)
			.join(', ');
		if (isInBrackets) joined.push({ name, address });
		else for (const one of names) joined.push(one);
		names = [];
	}
	return joined.concat(names);
}

/** Reads a list from left to right. An unclosed quotation mark or bracket is an ordinary character. */
function readMailboxes(list: string): Mailbox[] {
	const mailboxes: Mailbox[] = [];
	const endOf = createEndFinder(list);
	let draft = newDraft();
	for (let position = 0; position < list.length;) {
		const character = list.charAt(position);
		const isSecondBracket = character === '<' && draft.bracketed !== undefined;
		const end = isSecondBracket ? undefined : endOf(character, position);
		if (end !== undefined) {
			addEnclosed(draft, character, list.slice(position, end));
		} else if (character === ',' || character === ';') {
			mailboxes.push(...toMailboxes(draft, character));
			draft = newDraft();
		} else if (character === ':' && draft.bracketed === undefined) {
			// The words before it are the name of a group.
			draft = newDraft();
		} else if (character <= ' ' || character === ':') {
			draft.word = undefined;
		} else {
			addToWord(draft, character, character, character === '@');
		}
		position = end ?? position + 1;
	}
	return mailboxes.concat(toMailboxes(draft, ''));
}

function addEnclosed(draft: Draft, character: string, written: string): void {
	if (character === '"') addToWord(draft, written.slice(1, -1).replace(/\\(.)/g, '$1'), written);
	else if (character === '=') addToWord(draft, written, written);
	else if (character === '(') draft.comments.push(written.slice(1, -1));
	else {
		draft.bracketed = written.replace(/^<|>$/g, '');
		draft.word = undefined;
	}
}

function addToWord(draft: Draft, text: string, written: string, hasAt = false): void {
	if (draft.word === undefined) {
		draft.word = { text: '', written: '', hasAt: false };
		draft.words.push(draft.word);
	}
	draft.word.text += text;
	draft.word.written += written;
	draft.word.hasAt ||= hasAt;
}

/** @returns a function that finds the end of a comment or of what is {@link ENCLOSED}, or returns undefined */
function createEndFinder(list: string) {
	/** Opening characters that are never closed in the rest of the list. */
	const endless = new Set<string>();
	return (character: string, start: number): number | undefined => {
		if (endless.has(character)) return undefined;
		const pattern = ENCLOSED.get(character);
		if (pattern === undefined && character !== '(') return undefined;
		const end = pattern ? endOfMatch(pattern, list, start) : endOfComment(list, start);
		if (end === undefined && /["(]/.test(character)) endless.add(character);
		return end;
	};
}

function toMailboxes({ bracketed, words, comments }: Draft, end: string): Mailbox[] {
	const isInBrackets = bracketed !== undefined;
	const at = isInBrackets
		? -1
		: words.findLastIndex(({ hasAt, written }) => hasAt && !/^@|@$/.test(written));
	const [found] = at < 0 ? [] : words.splice(at, 1);
	const address = plainAddress(bracketed ?? found?.written ?? '');
	const name = decodeWords(words.map(({ text }) => text).join(' '));
	const isEncoded = address === '' && words[0]?.written.startsWith('=?') === true;
	if (isEncoded && ENCODED_MAILBOX.test(name)) {
		const [mailbox] = readMailboxes(name);
		return mailbox ? [{ ...mailbox, end }] : [];
	}
	if (name === '' && address === '') return [];
	const comment = address === '' ? '' : decodeWords(comments.join(' '));
	return [{ name: name || comment, address, isInBrackets, end }];
}

/** Removes comments and the route (RFC 5322, 4.4): `@one.example,@other.example:ada@example.com`. */
function plainAddress(written: string): string {
	const address = withoutComments(written).trim();
	return address.startsWith('@') ? address.slice(address.lastIndexOf(':') + 1).trim() : address;
}
