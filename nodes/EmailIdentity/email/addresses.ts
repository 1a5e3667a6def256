import { decodeWords, endOfComment, endOfWord, oneLine, withoutComments } from './headerFields';
import type { EmailAddress } from './types';

// Two thousand recipients, more than mail servers allow.
const MAX_LIST = 100_000;

/** Some programs encode the address with the name. */
const ENCODED_MAILBOX = /^[^<>]*<[^<>\s@]+@[^<>\s@]+>$/;

/** Characters without spaces between them, except in quotes. */
interface Word {
	/** Without its quotes. */
	text: string;
	written: string;
	/** Whether it has an at sign outside of quotes. */
	hasAt: boolean;
}

interface Mailbox extends EmailAddress {
	isInBrackets: boolean;
	/** The character that ends it. */
	end: string;
}

/**
 * The mailboxes in an address header; groups are replaced by their members (RFC 5322, 3.4). Reads the first hundred thousand
 * characters.
 */
export function parseAddresses(value: string): EmailAddress[] {
	return toAddresses(joinNames(new ListReader(value.slice(0, MAX_LIST)).read()));
}

/** Mailboxes in the documented shape, without empty ones. */
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
		if (isInBrackets) joined.push({ name: names.map((one) => one.name).join(', '), address });
		else for (const one of names) joined.push(one);
		names = [];
	}
	return joined.concat(names);
}

/** Reads a list from left to right. An unclosed quotation mark or bracket is an ordinary character. */
class ListReader {
	private readonly mailboxes: Mailbox[] = [];

	private words: Word[] = [];

	private word: Word | undefined;

	private comments: string[] = [];

	private bracketed: string | undefined;

	private position = 0;

	/** Of the next closing angle bracket. */
	private bracket = -1;

	/** Opening characters without a closing one in the rest. */
	private readonly endless = new Set<string>();

	constructor(private readonly list: string) {}

	read(): Mailbox[] {
		while (this.position < this.list.length) this.readNext(this.list.charAt(this.position));
		this.endMailbox('');
		return this.mailboxes;
	}

	private readNext(character: string): void {
		if (this.readEnclosed(character)) return;
		if (character === ',' || character === ';') this.endMailbox(character);
		else if (character === ':' && !this.isInDomainLiteral()) this.beginGroup();
		else if (character <= ' ') this.word = undefined;
		else this.add(character, character, character === '@');
		this.position++;
	}

	/** @returns false if the character does not open a comment, quoted string or address */
	private readEnclosed(character: string): boolean {
		const start = this.position;
		const end = this.endless.has(character) ? undefined : this.endOf(character, start);
		if (end === undefined) return false;
		const written = this.list.slice(start, end);
		if (character === '"') this.add(written.slice(1, -1).replace(/\\(.)/g, '$1'), written);
		else if (character === '=') this.add(written, written);
		else if (character === '(') this.comments.push(written.slice(1, -1));
		else this.bracketed = written.replace(/^<|>$/g, '');
		if (character === '<') this.word = undefined;
		this.position = end;
		return true;
	}

	private endOf(character: string, start: number): number | undefined {
		if (character === '<') return this.endOfBrackets(start);
		if (character === '=') return endOfWord(this.list, start);
		if (character !== '"' && character !== '(') return undefined;
		const end =
			character === '(' ? endOfComment(this.list, start) : endOfQuotation(this.list, start);
		if (end === undefined) this.endless.add(character);
		return end;
	}

	private endOfBrackets(start: number): number | undefined {
		if (this.bracketed !== undefined) return undefined;
		const next = this.list.indexOf('<', start + 1);
		if (this.bracket < start) this.bracket = this.list.indexOf('>', start);
		if (this.bracket < 0) this.bracket = Infinity;
		if (next >= 0 && next < this.bracket) return undefined;
		if (this.bracket < Infinity) return this.bracket + 1;
		const rest = this.list.slice(start).search(/[,;]/);
		return rest < 0 ? this.list.length : start + rest;
	}

	private add(text: string, written: string, hasAt = false): void {
		if (this.word === undefined) {
			this.word = { text: '', written: '', hasAt: false };
			this.words.push(this.word);
		}
		this.word.text += text;
		this.word.written += written;
		this.word.hasAt ||= hasAt;
	}

	/** Such as `[IPv6:2001:db8::1]` (RFC 5321, 4.1.3). */
	private isInDomainLiteral(): boolean {
		const written = this.word?.written ?? '';
		return written.includes('@[') && !written.endsWith(']');
	}

	/** The preceding words are its name. */
	private beginGroup(): void {
		if (this.bracketed === undefined) this.forget();
		else this.word = undefined;
	}

	private endMailbox(end: string): void {
		const { bracketed, words, comments } = this;
		this.forget();
		const isInBrackets = bracketed !== undefined;
		const at = isInBrackets ? -1 : words.findLastIndex(isAddress);
		const [found] = at < 0 ? [] : words.splice(at, 1);
		const address = plainAddress(bracketed ?? found?.written ?? '');
		const name = decodeWords(words.map(({ text }) => text).join(' '));
		const encoded =
			address === '' && words[0]?.written.startsWith('=?') && ENCODED_MAILBOX.test(name);
		if (encoded) {
			const [mailbox] = new ListReader(name).read();
			if (mailbox) this.mailboxes.push({ ...mailbox, end });
		} else if (name !== '' || address !== '') {
			const comment = address === '' ? '' : decodeWords(comments.join(' '));
			this.mailboxes.push({ name: name || comment, address, isInBrackets, end });
		}
	}

	private forget(): void {
		this.words = [];
		this.word = undefined;
		this.comments = [];
		this.bracketed = undefined;
	}
}

function isAddress({ hasAt, written }: Word): boolean {
	return hasAt && !written.startsWith('@') && !written.endsWith('@');
}

/** Without comments, and without a route (RFC 5322, 4.4): `@one.example,@other.example:ada@example.com`. */
function plainAddress(written: string): string {
	const address = withoutComments(written).trim();
	return address.startsWith('@') ? address.slice(address.lastIndexOf(':') + 1).trim() : address;
}

function endOfQuotation(text: string, start: number): number | undefined {
	for (let index = start + 1; index < text.length; index++) {
		if (text[index] === '\\') index++;
		else if (text[index] === '"') return index + 1;
	}
	return undefined;
}
