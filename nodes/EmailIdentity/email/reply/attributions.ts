import { isBlank, skipBlanksAbove, type Line } from './lines';
import { isOriginalMessageRule } from './separators';

/**
 * How languages say "wrote", in lower case, as it stands in "On …, … wrote:". Those with a blank before them are words;
 * languages that write no blanks have theirs without.
 */
const VERBS: readonly string[] = [
	...[' wrote', ' writes', ' schrieb', ' schreibt', ' hat geschrieben', ' a écrit', ' ont écrit'],
	...[' écrit', ' escribió', ' escribio', ' va escriure', ' ha scritto', ' scrive', ' escreveu'],
	...[
		' schreef',
		' skrev',
		' skreiv',
		' skrifaði',
		' kirjoitti',
		' kirjutas',
		' rašė',
		' rakstīja',
	],
	...[' napisał', ' pisze', ' napsal', ' píše', ' napísal', ' napisao', ' napisala', ' je napisal'],
	...[' írta', ' ezt írta', ' a scris', ' yazdı', ' şunu yazdı', ' shkroi', ' idatzi', ' escribiu'],
	...[
		' написал',
		' написала',
		' написав',
		' пишет',
		' пише',
		' написа',
		' писал',
		' έγραψε',
		' έγραψαν',
	],
	...[' đã viết', ' menulis', ' ditulis', ' sumulat', ' כתב', ' כתבה', ' مكتوب', ' كتب', ' كتابة'],
	...[
		' ने लिखा',
		' लिखा',
		'เขียน',
		'写道',
		'寫道',
		'写到',
		'写了',
		'書きました',
		'書いた',
		'のメッセージ',
		'のメール',
	],
	...['작성', ' 썼습니다', '쓴 글'],
];

/** How they begin, where that may stand on a line above the rest. */
const BEGINNINGS: readonly string[] = [
	...[
		'on ',
		'am ',
		'le ',
		'el ',
		'il ',
		'em ',
		'op ',
		'w dniu ',
		'dnia ',
		'den ',
		'pe ',
		'ma ',
		'ti ',
	],
	...[
		'to ',
		'ke ',
		'la ',
		'su ',
		'pirm',
		'a(z) ',
		'na ',
		'dne ',
		'dňa ',
		'u ',
		'în ',
		'pada ',
		'vào ',
	],
	...[
		'στις ',
		'на ',
		'в ',
		'у ',
		'בתאריך ',
		'ב-',
		'في ',
		'在 ',
		'在',
		'quoting ',
		'* ',
		'---- on ',
	],
	...['at ', 'von ', 'from '],
];

/** A year, or day, month and year, in the digits of any script. */
const DATE = /\p{Nd}{4}|\p{Nd}{1,2}[./-]\p{Nd}{1,2}[./-]\p{Nd}{2}/u;

const TIME = /\p{Nd}{1,2}[:.h]\p{Nd}{2}/u;

const ADDRESS = /[^\s<>]@[^\s<>]/;

const IN_BRACKETS = /[<[] ?[^\s<>[\]@]+@[^\s<>[\]@]+ ?[>\]]/;

const BEGINS_WITH_DATE = /^\p{Nd}/u;

// Mail programs break the line at about 78 characters.
const MOST_LINES_OF_ONE = 4;
const LONGEST = 500;
const SHORTEST_BROKEN = 30;
const SENTENCE_END = /[.!?:;。！？：]$/;
const MOST_BLANKS_BETWEEN = 2;

/**
 * Where the words begin that a mail program puts above a quotation: "On Saturday Ada wrote:".
 *
 * @param index the first line of the quotation
 * @returns `index` when nothing above it is such words
 */
export function startOfAttribution(lines: readonly Line[], index: number): number {
	const end = skipBlanksAbove(lines, index);
	if (index - end > MOST_BLANKS_BETWEEN || end === 0) return index;
	const last = lines[end - 1] as Line;
	if (last.quoting !== 'none') return index;
	if (isOriginalMessageRule(last.text)) return end - 1;
	if (last.mark === 'attribution') {
		let start = end;
		while (start > 0 && lines[start - 1]?.mark === 'attribution') start--;
		return start;
	}
	return findStart(lines, end, isIntroduction) ?? index;
}

/**
 * Where such words begin that end with this line, when they are beyond doubt: they say when and who, as only mail
 * programs do. What stands below them is an earlier email also without any marks of quoting.
 */
export function startOfCertainAttribution(
	lines: readonly Line[],
	index: number,
): number | undefined {
	const line = lines[index] as Line;
	if (line.quoting !== 'none' || !endsAsAttribution(line.text)) return undefined;
	const start = findStart(lines, index + 1, isCertain);
	const above = start === undefined || start === 0 ? undefined : lines[start - 1];
	return above === undefined || isBlank(above) || !/\p{L}/u.test(above.text) ? start : undefined;
}

/** @param end the line after the last of the words */
function findStart(
	lines: readonly Line[],
	end: number,
	isMeant: (text: string) => boolean,
): number | undefined {
	if (!endsAsAttribution(lines[end - 1]?.text ?? '')) return undefined;
	let text = '';
	let found: number | undefined;
	for (let start = end - 1; start >= 0 && end - start <= MOST_LINES_OF_ONE; start--) {
		const line = lines[start] as Line;
		if (line.quoting !== 'none' || line.text === '') break;
		if (start < end - 1 && !isBroken(line.text)) break;
		text = text === '' ? line.text : `${line.text} ${text}`;
		if (text.length > LONGEST) break;
		const isBeginning = hasBeginning(line.text);
		if (found !== undefined && !isBeginning) continue;
		const isOne =
			start === end - 1 || isBeginning || BEGINS_WITH_DATE.test(text) || IN_BRACKETS.test(text);
		if (isOne && isWhole(text) && isMeant(text)) found = start;
		if (isBeginning && found !== undefined) break;
	}
	return found;
}

/** Whether a line goes on in the next one because it was too long. */
function isBroken(text: string): boolean {
	return text.length >= SHORTEST_BROKEN && !SENTENCE_END.test(text);
}

function hasBeginning(text: string): boolean {
	const beginning = text.slice(0, 12).toLowerCase();
	return BEGINNINGS.some((one) => beginning.startsWith(one));
}

function endsAsAttribution(text: string): boolean {
	return (
		text.endsWith(':') || text.endsWith('：') || text.endsWith(' ---') || text.endsWith(' ----')
	);
}

/** "---- On Saturday Ada wrote ----": dashes at the end belong to those at the beginning. */
function isWhole(text: string): boolean {
	return !text.endsWith('-') || text.startsWith('---');
}

/** Nobody writes such a line but a mail program: when, and who, with the address in its brackets. */
function isCertain(text: string): boolean {
	return DATE.test(text) && IN_BRACKETS.test(text) && (hasTime(text) || hasVerb(text));
}

/** A quotation follows, so less is enough; still, what somebody says about it is not taken for such a line. */
function isIntroduction(text: string): boolean {
	const isDated = DATE.test(text);
	if (isDated && IN_BRACKETS.test(text)) return true;
	if (isDated && hasTime(text) && (BEGINS_WITH_DATE.test(text) || hasVerb(text))) return true;
	if (isDated && hasBeginning(text) && hasVerb(text)) return true;
	if (text.startsWith('Quoting ') && ADDRESS.test(text)) return true;
	return endsWithVerb(text) && (IN_BRACKETS.test(text) || isNameAndVerb(text));
}

/** Beside the date, in which there may be a dot as well. */
function hasTime(text: string): boolean {
	return TIME.test(text.replace(DATE, ' '));
}

function hasVerb(text: string): boolean {
	const lower = text.toLowerCase();
	return VERBS.some((verb) => lower.includes(verb));
}

function endsWithVerb(text: string): boolean {
	const words = text.slice(0, -1).trim().toLowerCase();
	return VERBS.some((verb) => words.endsWith(verb));
}

/** "Ada Lovelace wrote:", but not "What she wrote:", which is a sentence of whoever answers. */
function isNameAndVerb(text: string): boolean {
	const names = text.split(' ').slice(0, -1);
	return names.length > 1 && names.length < 6 && names.every(isCapitalized);
}

function isCapitalized(word: string): boolean {
	const first = word.charAt(0);
	return first !== first.toLowerCase();
}
