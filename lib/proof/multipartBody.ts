import {
	type ContentHeader,
	findHeader,
	nextLine,
	readContentHeader,
	readHeaderFields,
} from '../email';
import type { ProofLimits } from './limits';

interface Part {
	type: string;
	isPartOfHtml: boolean;
	hasContentFields: boolean;
}

/**
 * The type and boundary of a multipart body (RFC 2046, 5.1): its first line, after what programs write above it, is a
 * delimiter that occurs again. The last delimiter may be missing.
 *
 * @returns undefined for a single part; `ambiguous` if there are delimiters after the last one, or only below other text
 */
export function readMultipart(
	body: string,
	limits: ProofLimits,
): Pick<ContentHeader, 'boundary' | 'type'> | 'ambiguous' | undefined {
	const none = LIKELY_DELIMITER.test(body) ? 'ambiguous' : undefined;
	const start = endOfPreamble(body);
	if (start === undefined) return none;
	const delimiter = body.slice(start, nextLine(body, start)).trimEnd();
	if (delimiter === '--') return none;
	const isDelimiter = (line: number) => {
		if (!body.startsWith(delimiter, line)) return false;
		const rest = body.slice(line + delimiter.length, nextLine(body, line)).trimEnd();
		return rest === '' || rest === '--';
	};
	const parts: Part[] = [];
	let delimiters = 0;
	let isClosed = false;
	for (let line = start; parts.length <= limits.parts;) {
		if (isDelimiter(line)) {
			if (isClosed) return 'ambiguous';
			delimiters++;
			isClosed = body.startsWith('--', line + delimiter.length);
			if (!isClosed) parts.push(readPart(body, nextLine(body, line), isDelimiter));
		}
		const lineBreak = body.indexOf(`\n${delimiter}`, line);
		if (lineBreak < 0) break;
		line = lineBreak + 1;
	}
	if (delimiters < 2 || !parts.some(({ hasContentFields }) => hasContentFields)) return none;
	return { type: containerType(parts), boundary: delimiter.slice(2) };
}

/** A line with dashes above a field of a part. */
const LIKELY_DELIMITER = /^--.+\ncontent-[\w-]+:/im;

/** The first line of what mail programs write above the first part, for programs that cannot display parts. */
const PREAMBLE = /\bMIME\b|\bmulti-?part\b/i;

const MAX_PREAMBLE_LINES = 20;

/** The start of the first delimiter, below one paragraph at most. */
function endOfPreamble(body: string): number | undefined {
	let start = 0;
	let isInParagraph = false;
	let hasParagraph = false;
	for (let lines = 0; lines < MAX_PREAMBLE_LINES; lines++) {
		if (body.startsWith('--', start)) return start;
		const line = body.slice(start, nextLine(body, start));
		const isEmpty = line.trim() === '';
		if (!isEmpty && !isInParagraph && (hasParagraph || !PREAMBLE.test(line))) return undefined;
		isInParagraph = !isEmpty;
		hasParagraph ||= isInParagraph;
		start += line.length;
	}
	return undefined;
}

function readPart(body: string, start: number, isDelimiter: (line: number) => boolean): Part {
	const { end } = findHeader(body, start, isDelimiter);
	const fields = readHeaderFields(body.slice(start, end));
	const { type, contentId, disposition } = readContentHeader(fields, 'text/plain');
	return {
		type,
		isPartOfHtml: contentId !== undefined && disposition !== 'attachment',
		hasContentFields: fields.some(({ name }) => name.startsWith('content-')),
	};
}

/** What mail programs write as alternatives of a text (RFC 2046, 5.1.4). */
const RICHER_THAN_TEXT =
	/^(?:text\/(?:html|calendar|enriched|x-amp-html|watch-html)|multipart\/(?:related|mixed))$/;

const STATUS_OF_REPORT =
	/^message\/(?:(?:global-)?(?:delivery-status|disposition-notification)|feedback-report)$/;

function containerType([first, ...others]: Part[]): string {
	const [second] = others;
	if (first === undefined || second === undefined) return 'multipart/mixed';
	if (STATUS_OF_REPORT.test(second.type)) return 'multipart/report';
	const isTextFirst = first.type === 'text/plain';
	const isHtmlFirst = first.type === 'text/html';
	const areBoth = isHtmlFirst && second.type === 'text/plain' && others.length === 1;
	const areRicher = isTextFirst && others.every(({ type }) => RICHER_THAN_TEXT.test(type));
	if (areBoth || areRicher) return 'multipart/alternative';
	const hasHtml = isHtmlFirst || first.type === 'multipart/alternative';
	const isRelated = hasHtml && others.every(({ isPartOfHtml }) => isPartOfHtml);
	return isRelated ? 'multipart/related' : 'multipart/mixed';
}
