import { phrasesFor } from '../words/phrases';
import { isAppLine, linksToApp } from './appLines';
import { isBlankLine, isCapitalized, skipBlankLinesAbove, type Line } from './lines';

const DELIMITER = '--';
const MAX_SIGNATURE_LINES = 20;
const MAX_SIGNATURE_LINE = 80;
const MAX_LINE_WORDS = 8;
const MAX_NAME_WORDS = 5;

const CONTACT = /https?:\/\/|www\.|[^\s<>]@[^\s<>]|\+?\(?\p{Nd}[\p{Nd}\s()/.-]{5,}\p{Nd}/u;

/** A postscript, or an item of a list. */
const POSTSCRIPT_OR_ITEM = /^(?:p\.? ?p?\.? ?s\b|[-*•]|\p{Nd}+[.)]\s)/iu;

/** Words in lower case in names, such as "van". */
const PARTICLES: ReadonlySet<string> = new Set(phrasesFor('nameParticles'));

/**
 * The first line of the signature above `end`: two dashes, or the line of an app. People also write dashes in the text, so
 * the lines below them decide.
 *
 * @param sender the name and address of the sender
 * @returns `end` if there is none
 */
export function startOfSignature(lines: readonly Line[], end: number, sender: string): number {
	const last = skipBlankLinesAbove(lines, end);
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
	if (!isSignedName(first)) return false;
	// A single word may also be an answer.
	if (first.includes(' ')) return true;
	const namesOfSender = sender.toLowerCase().split(/[^\p{L}]+/u);
	return namesOfSender.includes(first.toLowerCase());
}

function isSignedName(text: string): boolean {
	const isSentence = /\p{Nd}|[:;!?]|\p{L}{4}\.$|^-/u.test(text);
	if (isSentence) return false;
	const names = text.replace(/[*_|,]/g, ' ').trim();
	const words = names.split(/\s+/);
	if (words.length > MAX_NAME_WORDS) return false;
	return words.length === 1 || words.every((word) => isCapitalized(word) || PARTICLES.has(word));
}

function isSignatureLine(text: string): boolean {
	if (isAppLine(text)) return true;
	if (POSTSCRIPT_OR_ITEM.test(text)) return false;
	if (text.length > MAX_SIGNATURE_LINE || /[!?;]$/.test(text)) return false;
	if (CONTACT.test(text)) return true;
	const words = text.split(' ').filter((word) => !PARTICLES.has(word));
	const capitalized = words.filter(isCapitalized).length;
	if (words.length > MAX_LINE_WORDS || capitalized * 2 < words.length) return false;
	const isSentence = /[:=]|\p{L}{4}\.$/u.test(text);
	return isCapitalized(text) && !isSentence;
}

/** Such a line has a blank line above it, or a link to the app; a sentence may end with the same words. */
function startOfAppLines(lines: readonly Line[], end: number): number | undefined {
	let start = end;
	while (start > 0 && isAppLine((lines[start - 1] as Line).text)) start--;
	if (start === end) return undefined;
	if (linksToApp((lines[start] as Line).text)) return start;
	const above = lines[start - 1];
	const isApart = above === undefined || above.isQuoted || isBlankLine(above);
	return isApart ? start : undefined;
}
