import { decodeCharset, isUtf7 } from './charsets';
import { decodeBody } from './transferEncoding';

/** Charset, language (RFC 2231, 5), encoding, text. */
const ENCODED_WORD = /=\?([^?\s*]+)(?:\*[^?\s]*)?\?([qb])\?([^?]*)\?=/gi;

const BLANKS = /^[ \t\r\n]*$/;

const NOT_DECODED = '\ufffd';

// A long subject has a dozen, a list of a thousand names two thousand; what follows stays as it is written.
const MOST_WORDS = 5000;

// What is read for itself costs ten microseconds a word; a long subject has a dozen.
const MOST_WORDS_READ_TWICE = 500;

interface EncodedWord {
	charset: string;
	bytes: Buffer;
}

/** Decodes the encoded words within a header's value (RFC 2047), in time that is linear in its length. */
export function decodeWords(value: string): string {
	return replaceWords(value, (text) => text);
}

/**
 * Writes encoded words anew, each run of them as one in UTF-8 and base64: their text then holds no commas, brackets
 * or quotes that would mean something to who reads the value further.
 */
export function recodeWords(value: string): string {
	return replaceWords(value, (text) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`);
}

/** Blanks between words belong to how they are written, not to the text. */
function replaceWords(value: string, replace: (text: string) => string): string {
	let result = '';
	let end = 0;
	let run: EncodedWord[] = [];
	const endRun = () => {
		if (run.length > 0) result += replace(decodeRun(run));
		run = [];
	};
	let words = 0;
	for (const word of value.matchAll(ENCODED_WORD)) {
		if (++words > MOST_WORDS) break;
		const between = value.slice(end, word.index);
		if (run.length === 0 || !BLANKS.test(between)) {
			endRun();
			result += between;
		}
		run.push(readWord(word));
		end = word.index + word[0].length;
	}
	endRun();
	return result + value.slice(end);
}

function readWord([, charset = '', encoding = '', text = '']: RegExpMatchArray): EncodedWord {
	const bytes =
		encoding.toUpperCase() === 'B'
			? decodeBody(text, 'base64')
			: decodeBody(
					text.replace(/=\s+(?=[0-9a-f])/gi, '=').replace(/[_\s]/g, ' '),
					'quoted-printable',
				);
	return { charset: charset.toLowerCase(), bytes };
}

/**
 * Some senders cut words within a character, so that the bytes of words in the same charset are put together. Where that
 * gives no text, each is read for itself.
 */
function decodeRun(words: EncodedWord[]): string {
	const joined = decodeEach(joinSameCharset(words));
	const isUnclear = joined.includes(NOT_DECODED) && words.length <= MOST_WORDS_READ_TWICE;
	if (!isUnclear || words.length === 1) return joined;
	const apart = decodeEach(words);
	return apart.includes(NOT_DECODED) ? joined : apart;
}

function decodeEach(words: EncodedWord[]): string {
	return words.map(({ bytes, charset }) => decodeCharset(bytes, charset)).join('');
}

function joinSameCharset(words: EncodedWord[]): EncodedWord[] {
	const joined: Array<{ charset: string; pieces: Buffer[] }> = [];
	for (const { charset, bytes } of words) {
		const last = joined.at(-1);
		if (last?.charset === charset && !isUtf7(charset)) last.pieces.push(bytes);
		else joined.push({ charset, pieces: [bytes] });
	}
	return joined.map(({ charset, pieces }) => ({ charset, bytes: Buffer.concat(pieces) }));
}
