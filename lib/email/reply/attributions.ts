import { trimEndOf, trimOf } from '../../basics';
import { anyOf, beginningOfPhrase } from '../words/phrases';
import { isCapitalized, type Line } from './lines';

/** "Wrote" in "On …, … wrote:". */
const VERB = beginningOfPhrase('wrote');
const HAS_VERB = new RegExp(VERB, 'iu');
/** Also "napisał(a)", "เขียนว่า" and "napisała". */
const ENDS_WITH_VERB = new RegExp(`${VERB}(?:\\(a\\)|ว่า|a)?$`, 'iu');

/** "On Saturday, 21", "Am 21": a word and the first number of a date. */
const BEGINS_BEFORE_DATE = new RegExp(
	`^${anyOf('attributionBeginnings')}(?:[\\s-][^\\p{Nd}]{0,30})?\\p{Nd}`,
	'iu',
);

/** A year (`11-Apr-2026`, but not `+0100`), or day, month and year, in the digits of any script. */
const DATE = /(?<!\+|(?<![\p{L}.])-)\p{Nd}{4}|\p{Nd}{1,2}[./-] ?\p{Nd}{1,2}[./-] ?\p{Nd}{2}/u;
const TIME = /\p{Nd}{1,2}[:.h]\p{Nd}{2}/u;
/** "Sat, 21", "Nov 21": a day of the week or a month, and the number of a day. */
const BEGINS_WITH_DAY =
	/^[\p{L}\p{M}]{1,15}[.,]{0,2} (?:\p{L}{1,12}[.,]? )?(?:\p{Nd}{1,2}(?![\p{Nd}:])|\p{Nd}{4}\. )/u;

/** In Yahoo's app, the text of the earlier email follows on the same line. */
const FOLLOWED_BY_TEXT = new RegExp(`^.{0,300}?[>)\\]] ?${VERB} ?[:：](?= )`, 'iu');

/** Horde has no verb: `Quoting Ada <ada@example.com>:`. */
const BEGINS_WITH_QUOTING = new RegExp(`^${anyOf('quoting')} `, 'i');

const HAS_ADDRESS = /[^\s@]@[^\s@]/;
/** An address before the colon that ends an attribution (mail.ru's app). */
const ENDS_WITH_ADDRESS = /\s[^\s<>()[\]@]+@[^\s<>()[\]@:：]+ ?[:：]$/;
const BRACKETED_ADDRESS = /[<[(] ?(?:mailto:)?[^\s<>()[\]@]+@[^\s<>()[\]@]+ ?[>\])]/;

/** The name may be a user name in lower case, or several words. */
const ADDRESS_AND_VERB = new RegExp(
	`^[^\\p{Nd}<]{1,60}<[^\\s<>@]+@[^\\s<>@]+> ${VERB} ?[:：]$`,
	'iu',
);

const IS_VERB = new RegExp(`^${VERB}$`, 'iu');
/** What may stand between a time and the sender: `AM`, `MEZ`, `+0100`. */
const BEHIND_TIME = /^(?:[\p{Lu}\p{Nd}:+-]+|Uhr|[ap]\.m\.)$/u;

const ENDS_SENTENCE = /[!?;！？。]$|(?<!\(\p{L}{1,10})[:：]$|\p{L}{2}\.$/u;
/** "21. Nov.": a dot that does not end a sentence. */
const ENDS_WITH_MONTH = /\p{Nd}\S*(?: \p{L}{1,2})? \p{L}+\.$/u;

const BEGINS_SENTENCE = new RegExp(`^${anyOf('sentenceBeginnings')}\\s`, 'i');

// Lines are broken at about 78 characters, in some programs also within the address.
const MAX_ATTRIBUTION_LINES = 5;
const MAX_ATTRIBUTION = 500;
/** Characters of the lines above a whole attribution that may also belong to it. */
const MAX_ABOVE = 80;
/** Characters at the end of a line in which its last words are looked for. */
const MAX_LAST_WORDS = 24;
const MAX_DATE = 30;
const MAX_SENDER_WORDS = 6;

/**
 * The first line of the attribution above `end`, the line of a mail program above an earlier email: "On Saturday Ada
 * wrote:". A quotation follows it, so little evidence is enough.
 */
export function findAttribution(lines: readonly Line[], end: number): number | undefined {
	const last = lines[end - 1]?.text ?? '';
	return findStart(lines, end, last, isIntroduction);
}

/** The same without a quotation below it. It must have the date and the sender, as only mail programs write them. */
export function findCertainAttribution(lines: readonly Line[], end: number): number | undefined {
	const { text } = lines[end - 1] as Line;
	const isBetweenDashes = text.endsWith('--');
	const beginning = isBetweenDashes ? undefined : FOLLOWED_BY_TEXT.exec(text)?.[0];
	const last = beginning ?? text;
	return findStart(lines, end, last, isCertain);
}

/** Whether a quotation begins with its attribution, which Apple Mail quotes, too. */
export function beginsWithAttribution(lines: readonly Line[], start: number): boolean {
	let text = '';
	for (const line of lines.slice(start, start + MAX_ATTRIBUTION_LINES)) {
		if (!line.isQuoted) return false;
		text = `${text} ${line.text}`.trim();
		const words = withoutDashes(text);
		if (isEnd(text) && isBeginning(words) && isIntroduction(words)) return true;
	}
	return false;
}

/**
 * Whether lines are an attribution.
 *
 * @param words the lines joined, without dashes around them
 * @param written the lines joined, with them
 */
type Judge = (words: string, written: string) => boolean;

/** The lines that look most like an attribution so far. */
interface AttributionCandidate {
	start: number;
	/** How many of its signs they have. */
	evidence: number;
	/** Characters. */
	length: number;
}

/**
 * Joins lines from `end` upwards, and chooses those with the most evidence: a name and "wrote:" are enough, but the line above
 * may have the date, and the line above a date may have the name.
 *
 * @param last the last line of the attribution, without text of the earlier email
 */
function findStart(
	lines: readonly Line[],
	end: number,
	last: string,
	isAttribution: Judge,
): number | undefined {
	if (!isEnd(last)) return undefined;
	let found: AttributionCandidate | undefined;
	let text = last;
	for (let start = end - 1; start >= 0 && end - start <= MAX_ATTRIBUTION_LINES; start--) {
		const line = lines[start] as Line;
		if (line.isQuoted || line.text === '') break;
		const isLast = start === end - 1;
		if (!isLast) {
			if (endsSentence(line.text)) break;
			text = `${line.text} ${text}`;
		}
		const maxLength = found === undefined ? MAX_ATTRIBUTION : found.length + MAX_ABOVE;
		if (text.length > maxLength) break;

		const words = withoutDashes(text);
		if (!isBeginning(words) || !isAttribution(words, text)) continue;
		// Above lines that are enough, a number such as 2026 is a date only beside a time.
		const isDated = DATE.test(words) && (found === undefined || hasTime(words));
		const beginsBeforeDate = isDated && BEGINS_BEFORE_DATE.test(words);
		const signs = [isDated, beginsBeforeDate, BRACKETED_ADDRESS.test(words), HAS_VERB.test(words)];
		const evidence = signs.filter(Boolean).length;
		if (found === undefined || evidence > found.evidence) {
			found = { start, evidence, length: text.length };
		}
		if (beginsBeforeDate) break;
	}
	return found?.start;
}

/** Whether an attribution may end with this text. */
function isEnd(text: string): boolean {
	if (/[:：]$|---$/.test(text)) return true;
	if (text.endsWith('>')) return isDateFirst(text);
	if (!BEGINS_BEFORE_DATE.test(text)) return false;
	return ENDS_WITH_VERB.test(text.slice(-MAX_LAST_WORDS)) || endsWithVerbAndName(text);
}

/** `Am 21.11.26 um 10:02 schrieb Ada Lovelace`, without a colon. */
function endsWithVerbAndName(text: string): boolean {
	const [verb] = HAS_VERB.exec(text) ?? [];
	if (verb === undefined || !hasTime(text)) return false;
	const name = text.slice(text.indexOf(verb) + verb.length).trim();
	return name !== '' && isSenderName(name);
}

function endsSentence(text: string): boolean {
	return ENDS_SENTENCE.test(text) && !ENDS_WITH_MONTH.test(text.slice(-MAX_LAST_WORDS));
}

/** Whether an attribution may begin with these words: a date or a name. */
function isBeginning(words: string): boolean {
	const isDated = BEGINS_BEFORE_DATE.test(words) || isDayFirst(words);
	return isDated || isNameFirst(words) || BEGINS_WITH_QUOTING.test(words);
}

function isDayFirst(words: string): boolean {
	return isDateFirst(words) || BEGINS_WITH_DAY.test(words);
}

function isDateFirst(words: string): boolean {
	return /^\p{Nd}/u.test(words) && DATE.test(words.slice(0, MAX_DATE));
}

/** "Ada Lovelace <ada@example.com> wrote", "Ada Lovelace wrote". */
function isNameFirst(words: string): boolean {
	let end = words.length;
	for (const found of [words.search(/[<[(]/), words.search(HAS_VERB)]) {
		if (found >= 0) end = Math.min(end, found);
	}
	const name = words.slice(0, end).replace(/[,:：'"]/g, '');
	return isSenderName(name.trim()) || ADDRESS_AND_VERB.test(words);
}

/** A few words that begin with capitals, or addresses. */
function isSenderName(text: string): boolean {
	const names = text.split(' ');
	if (names.length > MAX_SENDER_WORDS || !/^[^\p{Nd}]+$/u.test(text)) return false;
	return names.every((word) => isCapitalized(word) || HAS_ADDRESS.test(word));
}

/** A date and an address as only mail programs write them, or "Ada wrote" between dashes. */
function isCertain(words: string, written: string): boolean {
	const isBetweenDashes = written.startsWith('--') && written.endsWith('--');
	if (isBetweenDashes) return HAS_VERB.test(words);
	if (!DATE.test(words) || BEGINS_WITH_QUOTING.test(words)) return false;
	if (BRACKETED_ADDRESS.test(words)) return hasTime(words) || HAS_VERB.test(words);
	return hasTime(words) && isBareSender(words);
}

/** Whether nothing but the verb is beside the time and an address: `10:02 AM, ada@example.com wrote:`. */
function isBareSender(words: string): boolean {
	const all = words
		.replace(/[,:：](?= |$)/g, '')
		.trim()
		.split(' ');
	const behindTime = all.slice(all.findLastIndex((word) => TIME.test(word)) + 1);
	const sender = behindTime.findIndex((word) => HAS_ADDRESS.test(word));
	if (sender < 0) return false;
	behindTime.splice(sender, 1);
	return IS_VERB.test(behindTime.filter((word) => !BEHIND_TIME.test(word)).join(' '));
}

/** Whether words introduce a quotation: a date, or "wrote:" with an address or a full name. */
function isIntroduction(words: string): boolean {
	if (DATE.test(words) && isDatedIntroduction(words)) return true;
	if (BEGINS_WITH_QUOTING.test(words) && BRACKETED_ADDRESS.test(words)) return true;
	const beforeColon = trimEndOf(words, (letter) => /[\s:：]/.test(letter));
	if (!ENDS_WITH_VERB.test(beforeColon)) return false;
	return HAS_ADDRESS.test(words) || isFullNameAndVerb(words);
}

/** Whether words with a date also have an address, a verb, or a time. */
function isDatedIntroduction(words: string): boolean {
	if (BRACKETED_ADDRESS.test(words) || isBareSender(words)) return true;
	const isTimed = hasTime(words);
	if (isTimed && (ENDS_WITH_ADDRESS.test(words) || isDateFirst(words))) return true;
	if (!HAS_VERB.test(words)) return false;
	return isTimed || BEGINS_BEFORE_DATE.test(words) || isDayFirst(words);
}

/** "Ada Lovelace wrote:", but not "You wrote:" or "As Ada wrote:", which people write. */
function isFullNameAndVerb(words: string): boolean {
	const name = words.slice(0, words.search(HAS_VERB)).trim();
	return name.includes(' ') && isSenderName(name) && !BEGINS_SENTENCE.test(name);
}

/** Removes the date first, because it may contain a dot, too. */
function hasTime(words: string): boolean {
	return TIME.test(words.replace(DATE, ' '));
}

function withoutDashes(text: string): string {
	return trimOf(text, (letter) => '-*_ '.includes(letter));
}
