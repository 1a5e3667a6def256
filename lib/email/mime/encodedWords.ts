import { EMAIL_LIMITS } from '../limits';
import { decodeCharset, decodeMixed, isGuessed, isMixed } from './charsets';
import { decodeBody } from './transferEncoding';

/** Charset, language (RFC 2231, 5), encoding, text. */
export const ENCODED_WORD = /=\?([^?\s*]+)(?:\*[^?\s]*)?\?([qb])\?([^?]*)\?=/i;

const EACH_WORD = new RegExp(ENCODED_WORD, 'gi');

/** Encoded words with only blanks between them. These blanks are not part of the text. */
const RUN_OF_WORDS = new RegExp(
	`${ENCODED_WORD.source}(?:[ \\t\\r\\n]*${ENCODED_WORD.source})*`,
	'gi',
);

/** Words that follow each other and are decoded together, because some senders split characters between words. */
interface WordGroup {
	/** Of all its words, in lower case. */
	charset: string;
	/** Their bytes. */
	pieces: Buffer[];
}

/** Decodes the encoded words in a header's value (RFC 2047) in linear time. */
export function decodeWords(value: string): string {
	if (!value.includes('=?')) return value;
	const { encodedWords: max } = EMAIL_LIMITS;
	return value.slice(0, max).replace(RUN_OF_WORDS, decodeRun) + value.slice(max);
}

/** The first unknown charset of encoded words whose letters may be wrong; undefined if there is none. */
export function unknownCharsetOf(value: string): string | undefined {
	const words = value.slice(0, EMAIL_LIMITS.encodedWords).matchAll(EACH_WORD);
	for (const [, name, encoding = '', written = ''] of words) {
		if (isGuessed(bytesOf(written, encoding), name)) return name;
	}
	return undefined;
}

function decodeRun(run: string): string {
	let text = '';
	let group: WordGroup = { charset: '', pieces: [] };
	for (const [, name = '', encoding = '', written = ''] of run.matchAll(EACH_WORD)) {
		const charset = name.toLowerCase();
		if (charset !== group.charset) {
			text += decodeGroup(group);
			group = { charset, pieces: [] };
		}
		if (isBase64(encoding) || !isMixed(written, charset)) {
			group.pieces.push(bytesOf(written, encoding));
			continue;
		}
		const quoted = toQuotedPrintable(written);
		text += decodeGroup(group) + decodeMixed(quoted, 'quoted-printable', charset);
		group = { charset, pieces: [] };
	}
	return text + decodeGroup(group);
}

function isBase64(encoding: string): boolean {
	return encoding.toUpperCase() === 'B';
}

function bytesOf(written: string, encoding: string): Buffer {
	if (isBase64(encoding)) return decodeBody(written, 'base64');
	return decodeBody(toQuotedPrintable(written), 'quoted-printable');
}

function decodeGroup({ charset, pieces }: WordGroup): string {
	return pieces.length === 0 ? '' : decodeCharset(Buffer.concat(pieces), charset);
}

/** The Q encoding writes a space as `_` (RFC 2047, 4.2). Some programs fold a word after an equals sign. */
function toQuotedPrintable(written: string): string {
	return written.replace(/_/g, ' ').replace(/=\s+(?=[0-9a-f])/gi, '=');
}
