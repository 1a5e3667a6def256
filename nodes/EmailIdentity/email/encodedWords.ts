import { decodeCharset, decodeMixed, isMixed, isUtf7 } from './charsets';
import { decodeBody } from './transferEncoding';

/** Charset, language (RFC 2231, 5), encoding, text. */
const ENCODED_WORD = /=\?([^?\s*]+)(?:\*[^?\s]*)?\?([qb])\?([^?]*)\?=/gi;

/** Encoded words with nothing but blanks between them, which belong to how they are written. */
const RUN_OF_WORDS = new RegExp(
	`${ENCODED_WORD.source}(?:[ \\t\\r\\n]*${ENCODED_WORD.source})*`,
	'gi',
);

const WORD_HERE = new RegExp(ENCODED_WORD.source, 'iy');

// A long subject has a dozen, a list of a thousand names two thousand; what follows stays as it is written.
const MAX_WORDS = 5000;

/** Decodes the encoded words within a header's value (RFC 2047), in time that is linear in its length. */
export function decodeWords(value: string): string {
	if (!value.includes('=?')) return value;
	const end = endOfWords(value);
	return value.slice(0, end).replace(RUN_OF_WORDS, decodeRun) + value.slice(end);
}

/** Where the encoded word ends that begins here; undefined where none does. */
export function endOfWord(value: string, start: number): number | undefined {
	WORD_HERE.lastIndex = start;
	return WORD_HERE.test(value) ? WORD_HERE.lastIndex : undefined;
}

function endOfWords(value: string): number {
	let words = 0;
	for (const { index } of value.matchAll(ENCODED_WORD)) if (++words > MAX_WORDS) return index;
	return value.length;
}

/** Some senders cut words within a character, so that words in the same charset are decoded together. */
function decodeRun(run: string): string {
	let text = '';
	let charset = '';
	let pieces: Buffer[] = [];
	const end = () => {
		if (pieces.length > 0) text += decodeCharset(Buffer.concat(pieces), charset);
		pieces = [];
	};
	for (const [, name = '', encoding = '', written = ''] of run.matchAll(ENCODED_WORD)) {
		if (name.toLowerCase() !== charset || isUtf7(name)) end();
		charset = name.toLowerCase();
		if (encoding.toUpperCase() === 'B') {
			pieces.push(decodeBody(written, 'base64'));
			continue;
		}
		const quoted = written.replace(/_/g, ' ').replace(/=\s+(?=[0-9a-f])/gi, '=');
		if (isMixed(quoted, charset)) {
			end();
			text += decodeMixed(quoted, 'quoted-printable', charset);
		} else {
			pieces.push(decodeBody(quoted, 'quoted-printable'));
		}
	}
	end();
	return text;
}
