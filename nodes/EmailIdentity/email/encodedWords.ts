import { decodeWords as decodePlainWords } from 'postal-mime';

import { decodeCharset, isUtf7 } from './charsets';
import { decodeBody } from './transferEncoding';

/** Charset, language (RFC 2231, 5), encoding, text. */
const ENCODED_WORD = /=\?([^?\s*]+)(?:\*[^?\s]*)?\?([qb])\?([^?]*)\?=/gi;

/** Encoded words with nothing but blanks between them, which belong to how they are written. */
const RUN_OF_WORDS = new RegExp(
	`${ENCODED_WORD.source}(?:[ \\t\\r\\n]*${ENCODED_WORD.source})*`,
	'gi',
);

// A long subject has a dozen, a list of a thousand names two thousand; what follows stays as it is written.
const MOST_WORDS = 5000;

/**
 * Decodes the encoded words within a header's value (RFC 2047), in time that is linear in its length.
 *
 * The MIME library does it. Some senders cut words within a character, where it joins those in Q only, and it knows no
 * UTF-7, so that such words are written anew before.
 */
export function decodeWords(value: string): string {
	if (!value.includes('=?')) return value;
	const end = endOfWords(value);
	return decodePlainWords(value.slice(0, end).replace(ENCODED_WORD, plainWord)) + value.slice(end);
}

/**
 * Writes encoded words anew, each run of them as one in UTF-8 and base64. The MIME library looks for what separates
 * addresses before it decodes, so that a comma within a word would make two people of one.
 */
export function recodeWords(value: string): string {
	return value.replace(
		RUN_OF_WORDS,
		(run) => `=?utf-8?B?${Buffer.from(decodeWords(run)).toString('base64')}?=`,
	);
}

function endOfWords(value: string): number {
	let words = 0;
	for (const { index } of value.matchAll(ENCODED_WORD)) if (++words > MOST_WORDS) return index;
	return value.length;
}

function plainWord(_word: string, charset: string, encoding: string, text: string): string {
	const name = charset.toLowerCase();
	if (isUtf7(name)) {
		const ascii = Buffer.from(decodePlainWords(`=?us-ascii?${encoding}?${text}?=`));
		return wordOf(Buffer.from(decodeCharset(ascii, name)), 'utf-8');
	}
	return encoding.toUpperCase() === 'B'
		? wordOf(decodeBody(text, 'base64'), name)
		: `=?${name}?Q?${text}?=`;
}

function wordOf(bytes: Buffer, charset: string): string {
	return `=?${charset}?Q?${bytes.toString('hex').replace(/../g, '=$&')}?=`;
}
