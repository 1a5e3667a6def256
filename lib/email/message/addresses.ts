import { endOfMatch } from '../../basics';
import { endOfComment, withoutComments } from '../mime/comments';
import { decodeWords, ENCODED_WORD } from '../mime/encodedWords';
import { oneLine } from '../mime/headerFields';
import { EMAIL_LIMITS } from '../limits';
import type { EmailAddress } from './headerTypes';

type TokenKind =
	| 'text'
	| 'blank'
	| 'quoted'
	| 'encodedWord'
	| 'comment'
	| 'bracketed'
	/** Ends the name of a group. */
	| 'colon'
	/** Ends a mailbox. */
	| 'separator';

interface AddressToken {
	kind: TokenKind;
	/** With its quotation marks or brackets. */
	written: string;
}

/** Kinds of tokens by their first character. A blank is any control character or space; all others are text. */
const KINDS: ReadonlyMap<string, TokenKind> = new Map([
	['"', 'quoted'],
	['=', 'encodedWord'],
	['(', 'comment'],
	['<', 'bracketed'],
	[':', 'colon'],
	[',', 'separator'],
	[';', 'separator'],
]);

/** An unclosed address ends with the mailbox. */
const PATTERNS: Readonly<Record<Exclude<TokenKind, 'comment'>, RegExp>> = {
	text: /[^\0- "=(<:,;]+/y,
	blank: /[\0- ]+/y,
	quoted: /"(?:[^"\\]|\\[^])*"/y,
	encodedWord: new RegExp(ENCODED_WORD, 'iy'),
	bracketed: /<(?:[^<>]*>|[^<>,;]*(?=(?:[,;][^<>]*)?$))/y,
	colon: /:/y,
	separator: /[,;]/y,
};

/** Tokens of text without blanks between them. */
interface Word {
	/** Without quotation marks. */
	text: string;
	written: string;
	/** Whether it has an at sign outside quotation marks. */
	hasAt: boolean;
}

/** The tokens of a mailbox so far. */
interface Draft {
	words: Word[];
	/** Without their brackets. */
	comments: string[];
	/** The address without its brackets; undefined if there are none. */
	bracketed?: string;
	/** Whether the next text continues the last word. */
	isInWord: boolean;
}

interface Mailbox extends EmailAddress {
	isInBrackets: boolean;
	/** The character that ends it; `''` at the end of the list. */
	end: string;
}

const BRACKETS = /^[<>]+$/;

const BETWEEN_BRACKETS = /^<[^<>]*>$/;

const ENCODED_MAILBOX = /^[^<>]*<[^<>\s@]+@[^<>\s@]+>$/;

/** Reads the mailboxes in an address header. Groups are replaced by their members (RFC 5322, 3.4). */
export function parseAddresses(value: string): EmailAddress[] {
	const list = value.slice(0, EMAIL_LIMITS.addressList);
	return toAddresses(joinNames(readMailboxes(list)));
}

/** Names and addresses on one line each, without those that are empty. */
export function toAddresses(mailboxes: EmailAddress[]): EmailAddress[] {
	return mailboxes
		.map(({ name, address }) => ({ name: oneLine(name), address: oneLine(address) }))
		.filter(({ name, address }) => name !== '' || address !== '');
}

/** Names without quotes may contain commas, and end with one: `Smith, Bob <bob@example.com>`, `Bob,<bob@example.com>`. */
function joinNames(mailboxes: Mailbox[]): EmailAddress[] {
	const joined: EmailAddress[] = [];
	/** Names before commas, which may belong to the next address. */
	let pending: EmailAddress[] = [];
	for (const { name, address, isInBrackets, end } of mailboxes) {
		pending.push({ name, address });
		if (address === '' && end === ',') continue;
		if (isInBrackets) {
			const names = pending.map((one) => one.name).filter((one) => one !== '');
			joined.push({ name: names.join(', '), address });
		} else {
			for (const one of pending) joined.push(one);
		}
		pending = [];
	}
	return joined.concat(pending);
}

function readMailboxes(list: string): Mailbox[] {
	const mailboxes: Mailbox[] = [];
	let draft = newDraft();
	for (const token of readTokens(list)) {
		const isOfGroup = token.kind === 'colon' && draft.bracketed === undefined;
		if (token.kind === 'separator') addMailbox(mailboxes, draft, token.written);
		if (token.kind === 'separator' || isOfGroup) draft = newDraft();
		else addToken(draft, token);
	}
	addMailbox(mailboxes, draft, '');
	return mailboxes;
}

/** An unclosed quotation mark, comment or bracket, and a second bracket in a mailbox, are ordinary text. */
function readTokens(list: string): AddressToken[] {
	const tokens: AddressToken[] = [];
	/** Kinds that are never closed in the rest of the list. */
	const unclosed = new Set<TokenKind>();
	let hasBracketed = false;
	let position = 0;
	while (position < list.length) {
		const kind = kindOf(list.charAt(position));
		const isText = unclosed.has(kind) || (kind === 'bracketed' && hasBracketed);
		const end = isText ? undefined : endOfToken(kind, list, position);
		if (end === undefined) {
			if (kind === 'quoted' || kind === 'comment') unclosed.add(kind);
			tokens.push({ kind: 'text', written: list.charAt(position) });
			position += 1;
			continue;
		}
		if (kind === 'bracketed') hasBracketed = true;
		if (kind === 'separator') hasBracketed = false;
		tokens.push({ kind, written: list.slice(position, end) });
		position = end;
	}
	return tokens;
}

function kindOf(character: string): TokenKind {
	if (character <= ' ') return 'blank';
	return KINDS.get(character) ?? 'text';
}

function endOfToken(kind: TokenKind, list: string, start: number): number | undefined {
	if (kind === 'comment') return endOfComment(list, start);
	return endOfMatch(PATTERNS[kind], list, start);
}

function newDraft(): Draft {
	return { words: [], comments: [], isInWord: false };
}

function addToken(draft: Draft, { kind, written }: AddressToken): void {
	switch (kind) {
		case 'comment':
			draft.comments.push(written.slice(1, -1));
			break;
		case 'bracketed':
			draft.bracketed = written.replace(/^<|>$/g, '');
			draft.isInWord = false;
			break;
		case 'quoted':
			addText(draft, { text: written.slice(1, -1).replace(/\\(.)/g, '$1'), written, hasAt: false });
			break;
		case 'encodedWord':
			addText(draft, { text: written, written, hasAt: false });
			break;
		case 'text':
			addText(draft, { text: written, written, hasAt: written.includes('@') });
			break;
		default:
			draft.isInWord = false;
	}
}

function addText(draft: Draft, added: Word): void {
	const word = draft.isInWord ? draft.words.at(-1) : undefined;
	if (word === undefined) {
		draft.words.push(added);
	} else {
		word.text += added.text;
		word.written += added.written;
		word.hasAt ||= added.hasAt;
	}
	draft.isInWord = true;
}

function addMailbox(
	mailboxes: Mailbox[],
	{ bracketed, words, comments }: Draft,
	end: string,
): void {
	const isInBrackets = bracketed !== undefined;
	const bareAddress = isInBrackets ? undefined : words.findLast(isAddress);
	const address = plainAddress(bracketed ?? bareAddress?.written ?? '');
	const others = words.filter((word) => word !== bareAddress);
	const named = isInBrackets ? withoutAddressBrackets(others) : others;
	const name = decodeWords(named.map(({ text }) => text).join(' '));
	const isEncoded = address === '' && named[0]?.written.startsWith('=?') === true;
	if (isEncoded && ENCODED_MAILBOX.test(name)) {
		const [mailbox] = readMailboxes(name);
		if (mailbox) mailboxes.push({ ...mailbox, end });
		return;
	}
	if (name === '' && address === '') return;
	// "ada@example.com (Ada)": the comment is the name.
	const comment = address === '' ? '' : decodeWords(comments.join(' '));
	mailboxes.push({ name: name || comment, address, isInBrackets, end });
}

/** Brackets are left of `Ada <<ada@example.com>>` and `<ada@example.com> <ada@example.com>`. Other ones belong to the name. */
function withoutAddressBrackets(words: readonly Word[]): readonly Word[] {
	const end = words.findLastIndex(({ written }) => !BRACKETS.test(written));
	return words.slice(0, end + 1).map((word) => {
		const isAddressInBrackets = word.hasAt && BETWEEN_BRACKETS.test(word.written);
		return isAddressInBrackets ? { ...word, text: word.text.slice(1, -1) } : word;
	});
}

function isAddress({ hasAt, written }: Word): boolean {
	return hasAt && !written.startsWith('@') && !written.endsWith('@');
}

/** Removes comments and the route (RFC 5322, 4.4): `@one.example,@other.example:ada@example.com`. */
function plainAddress(written: string): string {
	const address = withoutComments(written).trim();
	if (!address.startsWith('@')) return address;
	return address.slice(address.lastIndexOf(':') + 1).trim();
}
