import { parseUrl } from '../lib/hosts';

/** Stands in the place of a secret; it needs no escaping in a URL, so that a masked URL is still one. */
const MASK = '***';

/**
 * How names of parameters end whose value is a secret: the one in the address of this package's own subscriptions
 * (`token`), and those of addresses that others have made.
 */
const SECRET_NAMES = ['token', 'secret', 'key', 'signature', 'sig', 'password', 'auth'];

/** Shorter secrets are only looked for as they are: an encoded form of theirs would be found in ordinary words. */
const SHORTEST_ENCODED = 8;

/**
 * The value of a secret parameter, up to a character that no query holds as it is (URL Standard, section 1.3). In a URL
 * inside a URL, the parameters after it go, too.
 */
const SECRET_PARAMETER = secretParameter();

/** The user name and password of an address. No two tries overlap, as none goes beyond a slash. */
const USER_OF_URL = /(:\/\/)[^\s"'<>/?#@]+@/g;

/**
 * Takes secrets out of a text that is shown, logged or stored.
 *
 * Gone are the values of secret parameters in URLs, also in percent-encoded ones, and every secret that the caller knows,
 * however it is spelled: percent-encoded, escaped for JSON or HTML, in another case, in base64 (of a whole header, say).
 * Takes a time that grows with the length of the text, not faster.
 *
 * @param known such as the API key; empty ones are passed over
 */
export function maskSecrets(text: string, known: readonly string[] = []): string {
	const withoutKnown = known.reduce((rest, secret) => maskKnown(rest, secret), text);
	return withoutKnown.replace(USER_OF_URL, `$1${MASK}@`).replace(SECRET_PARAMETER, `$1${MASK}`);
}

/**
 * A subscription's URL as it may be shown: host, path and the names in its query stay. The value of every parameter, a
 * fragment and a user's name are masked: only the receiver knows which of them is a secret.
 *
 * @param url need not be a valid one
 */
export function maskUrlSecret(url: string): string {
	const [beforeFragment = '', ...fragment] = url.split('#');
	const [address = '', ...query] = beforeFragment.split('?');
	return [
		maskSecrets(address),
		query.length > 0 ? `?${query.join('?').split('&').map(maskParameter).join('&')}` : '',
		fragment.join('') === '' ? '' : `#${MASK}`,
	].join('');
}

function maskParameter(parameter: string): string {
	const end = parameter.indexOf('=');
	if (end === -1) return parameter === '' ? '' : MASK;
	return `${parameter.slice(0, end)}=${end + 1 === parameter.length ? '' : MASK}`;
}

/** Whether a URL was masked here, so that it cannot be the address that something is delivered to. */
export function isMaskedUrl(url: string): boolean {
	const decoded = url.replaceAll(/%2a/gi, '*').replaceAll(/%3d/gi, '=');
	return ['=', '?', '&', '#', '://'].some((before) => decoded.includes(before + MASK));
}

/** The secrets in a URL that is about to be sent: the answer may quote them without their names. */
export function secretsOfUrl(url: string): string[] {
	const parsed = parseUrl(url);
	if (!parsed) return [];
	const { username, password, searchParams } = parsed;
	const values = [...searchParams]
		.filter(([name]) => SECRET_NAMES.some((ending) => name.toLowerCase().endsWith(ending)))
		.map(([, value]) => value);
	return [username, password, ...values].filter((value) => value !== '');
}

function maskKnown(text: string, secret: string): string {
	if (secret === '') return text;
	if (secret.length < SHORTEST_ENCODED) return text.replaceAll(secret, MASK);
	const forms = [spellings(secret), ...base64Forms(secret).map(escape)];
	return text.replace(new RegExp(forms.join('|'), 'gi'), MASK);
}

function secretParameter(): RegExp {
	const names = SECRET_NAMES.map(spellings).join('|');
	return new RegExp(`((?:${names})${spellings('=')})[^\\s"'<>&#\\\\]+`, 'gi');
}

/** The source of an expression for a text, each character as it is or escaped, percent-encoded up to three times. */
function spellings(text: string): string {
	return [...text]
		.map((character) => {
			const percent = [...Buffer.from(character)]
				.map((byte) => `%(?:25){0,2}${byte.toString(16).padStart(2, '0')}`)
				.join('');
			const code = character.codePointAt(0) ?? 0;
			const unicode = `\\\\u${code.toString(16).padStart(4, '0')}`;
			return `(?:${escape(character)}|${percent}|${unicode}|&#(?:${code}|x${code.toString(16)});)`;
		})
		.join('');
}

/** The part of base64 that depends on the text alone, wherever in the encoded bytes it begins (RFC 4648, section 4). */
function base64Forms(text: string): string[] {
	const length = Buffer.byteLength(text);
	return [0, 1, 2].flatMap((shift) => {
		const encoded = Buffer.from('\0'.repeat(shift) + text).toString('base64');
		const form = encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + length) * 8) / 6));
		return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
	});
}

function escape(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
