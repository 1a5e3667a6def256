import { decodeCharset } from './charsets';
import { decodeBody } from './transferEncoding';

/** Charset, language (RFC 2231, 5), encoding, text. */
const ENCODED_WORD = /=\?([^?\s*]+)(?:\*[^?\s]*)?\?([qb])\?([^?]*)\?=/gi;

const BLANKS = /^[ \t\r\n]*$/;

const NOT_DECODED = '\ufffd';

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
	for (const word of value.matchAll(ENCODED_WORD)) {
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

/** Some senders cut words within a character: then the bytes of words in the same charset are put together first. */
function decodeRun(words: EncodedWord[]): string {
	const apart = words.map(({ bytes, charset }) => decodeCharset(bytes, charset)).join('');
	if (words.length === 1 || !apart.includes(NOT_DECODED)) return apart;
	const joined = joinSameCharset(words)
		.map(({ bytes, charset }) => decodeCharset(bytes, charset))
		.join('');
	return joined.includes(NOT_DECODED) ? apart : joined;
}

function joinSameCharset(words: EncodedWord[]): EncodedWord[] {
	const joined: Array<{ charset: string; pieces: Buffer[] }> = [];
	for (const { charset, bytes } of words) {
		const last = joined.at(-1);
		if (last?.charset === charset) last.pieces.push(bytes);
		else joined.push({ charset, pieces: [bytes] });
	}
	return joined.map(({ charset, pieces }) => ({ charset, bytes: Buffer.concat(pieces) }));
}
