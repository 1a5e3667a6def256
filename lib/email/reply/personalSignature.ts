import { anyOf, phrasesFor } from '../words/phrases';
import { isBlankLine, isCapitalized, skipBlanksAbove, type Line } from './lines';

/** Lines that mail apps add, in lower case. Between the two is the name of the app or device. */
const APP_LINES = phrasesFor('appLines').map(
	(line) => line.split('…') as [beginning: string, ending: string],
);

/** Names of products, the same in all languages. */
const BRANDS: readonly string[] = [
	'iphone',
	'ipad',
	'ipod',
	'ios',
	'mac',
	'macbook',
	'android',
	'galaxy',
	'samsung',
	'huawei',
	'xiaomi',
	'redmi',
	'pixel',
	'blackberry',
	'nokia',
	'windows',
	'outlook',
	'gmail',
	'yahoo',
	'mailbox',
	'airmail',
	'k-9',
	'fairemail',
	'spark',
	'thunderbird',
	'gmx',
	'web.de',
	'aol',
	'zoho',
	'fastmail',
	'proton',
];

const DEVICES: readonly string[] = phrasesFor('devices');

const BEGINS_WITH_MY = new RegExp(`^${anyOf('my')}(?!\\p{L})`, 'u');

const MAX_APP_LINE = 200;
const MAX_APP_WORDS = 10;

const LINK = /[<([]\s*https?:\/\/[^\s<>()[\]]*\s*[>)\]]|https?:\/\/\S*$/g;

const EXCUSE = new RegExp(`\\.\\s+${anyOf('excuses')}\\b.*`);

const DELIMITER = '--';
const MAX_SIGNATURE_LINES = 20;
const MAX_SIGNATURE_LINE = 80;
const MAX_SIGNED_WORDS = 5;
const MAX_LINE_WORDS = 8;

const CONTACT = /https?:\/\/|www\.|[^\s<>]@[^\s<>]|\+?\(?\p{Nd}[\p{Nd}\s()/.-]{5,}\p{Nd}/u;

const PARTICLES: ReadonlySet<string> = new Set(phrasesFor('nameParticles'));

/**
 * The first line of the signature above `end`: two dashes, or the line of an app. People also write dashes in the text, so
 * the lines below them decide.
 *
 * @returns `end` if there is none
 */
export function startOfSignature(lines: readonly Line[], end: number, sender: string): number {
	const last = skipBlanksAbove(lines, end);
	if (last === 0) return end;
	return startBelowDashes(lines, last, sender) ?? startOfAppLines(lines, last) ?? end;
}

function startBelowDashes(lines: readonly Line[], end: number, sender: string): number | undefined {
	const below: string[] = [];
	for (let start = end - 1; start >= 0 && below.length <= MAX_SIGNATURE_LINES; start--) {
		const { text, isQuoted } = lines[start] as Line;
		if (isQuoted) return undefined;
		if (text === DELIMITER) return isSignature(below.reverse(), sender) ? start : undefined;
		if (text !== '') below.push(text);
	}
	return undefined;
}

/** Whether the lines are a name, followed by contact data or short lines such as a company and a street. */
function isSignature([first, ...others]: string[], sender: string): boolean {
	if (first === undefined) return true;
	if (!others.every(isSignatureLine)) return false;
	if (isAppLine(first)) return true;
	// A single word may also be an answer.
	const ofSender = sender.toLowerCase().split(/[^\p{L}]+/u);
	return isSignedName(first) && (first.includes(' ') || ofSender.includes(first.toLowerCase()));
}

function isSignedName(text: string): boolean {
	const words = text
		.replace(/[*_|,]/g, ' ')
		.trim()
		.split(/\s+/);
	if (words.length > MAX_SIGNED_WORDS || /\p{Nd}|[:;!?]|\p{L}{4}\.$|^-/u.test(text)) return false;
	return words.length === 1 || words.every((word) => isCapitalized(word) || PARTICLES.has(word));
}

function isSignatureLine(text: string): boolean {
	if (isAppLine(text)) return true;
	if (/^(?:p\.? ?p?\.? ?s\b|[-*•]|\p{Nd}+[.)]\s)/iu.test(text)) return false;
	if (text.length > MAX_SIGNATURE_LINE || /[!?;]$/.test(text)) return false;
	if (CONTACT.test(text)) return true;
	const words = text.split(' ').filter((word) => !PARTICLES.has(word));
	const capitalized = words.filter(isCapitalized).length;
	if (words.length > MAX_LINE_WORDS || capitalized * 2 < words.length) return false;
	return isCapitalized(text) && !/[:=]|\p{L}{4}\.$/u.test(text);
}

/** Such a line has a blank line above it; a sentence may end with the same words. */
function startOfAppLines(lines: readonly Line[], end: number): number | undefined {
	let start = end;
	while (start > 0 && isAppLine((lines[start - 1] as Line).text)) start--;
	if (start === end) return undefined;
	const above = lines[start - 1];
	return above === undefined || above.isQuoted || isBlankLine(above) ? start : undefined;
}

function isAppLine(text: string): boolean {
	if (text.length > MAX_APP_LINE) return false;
	const words = text
		.replace(LINK, '')
		.toLowerCase()
		.replace(EXCUSE, '')
		.replace(/[.。\s()[\]<>]+$|^[\s([<]+/g, '')
		.replace(/[[\]]/g, '');
	if (words.split(' ').length > MAX_APP_WORDS || /[,:;!?]/.test(words)) return false;
	return APP_LINES.some(([beginning, ending]) => {
		if (!words.startsWith(beginning) || !words.endsWith(ending)) return false;
		const name = words.slice(beginning.length, words.length - ending.length).trim();
		return isProduct(name);
	});
}

/** Other words at the end, or only "by mail", belong to a sentence. */
function isProduct(name: string): boolean {
	const words = name.replace(/[®™]/g, '').split(/ (?!\p{Nd}+$)/u);
	const isIn = (text: string) => (product: string) => text.includes(product);
	const last = words.at(-1) ?? '';
	if (BRANDS.some(isIn(last))) return true;
	if (!DEVICES.some(isIn(last)) || /['’]/.test(name)) return false;
	return BRANDS.some(isIn(name)) || BEGINS_WITH_MY.test(name);
}

const DASHES = /^-{2,3}$/;

const ONLY_A_LINK = /^[<(]?(?:https?:\/\/|www\.)\S+$/i;

/**
 * The first line of the footer that a virus scanner adds below the last quotation of a text, or `end`: dashes right below the
 * quotation, a sentence, and a link on a line of its own.
 */
export function startOfScannerFooter(lines: readonly Line[], end: number): number {
	const last = skipBlanksAbove(lines, end);
	if (last < skipBlanksAbove(lines, lines.length)) return end;
	if (!ONLY_A_LINK.test(lines[last - 1]?.text ?? '')) return end;
	for (let start = last - 1; start > 0 && last - start <= MAX_FOOTER_LINES; start--) {
		const { text, isQuoted } = lines[start] as Line;
		if (isQuoted) return end;
		if (!DASHES.test(text)) continue;
		const isBelowQuotation = lines[skipBlanksAbove(lines, start) - 1]?.isQuoted === true;
		const isSentence = lines[start + 1]?.text.endsWith('.') === true;
		return isBelowQuotation && isSentence ? start : end;
	}
	return end;
}

/** The line that mailing list software draws. Outlook's line above an earlier email is shorter. */
const FOOTER_RULE = '_'.repeat(40);

const LINK_OR_ADDRESS = /https?:\/\/|[^\s<>]@[^\s<>]/;
const NAMES_LIST = /list|subscri/i;

const MAX_FOOTER_LINES = 6;

/** The first line of the footer above `end` that a mailing list adds, or `end`: its name and how to unsubscribe. */
export function startOfListFooter(lines: readonly Line[], end: number): number {
	const last = skipBlanksAbove(lines, end);
	let hasLink = false;
	let namesList = false;
	for (let start = last - 1; start >= 0 && last - start <= MAX_FOOTER_LINES; start--) {
		const { text, isQuoted } = lines[start] as Line;
		if (isQuoted) return end;
		if (text.startsWith(FOOTER_RULE)) return hasLink && namesList ? start : end;
		hasLink ||= LINK_OR_ADDRESS.test(text);
		namesList ||= NAMES_LIST.test(text);
	}
	return end;
}
