import { literalPattern, parseUrl } from '../../../../lib/basics';

/** Needs no escaping, so a masked URL is still a URL. */
const MASK = '***';

/** Endings of the names of secret parameters: `token` in the URLs of the trigger, and common names in other URLs. */
const SECRET_NAMES = ['token', 'secret', 'key', 'signature', 'sig', 'password', 'auth'];

/** The API key is masked in the JSON of responses, where a shorter one could be an ordinary word. */
const MIN_KEY_LENGTH = 8;

/**
 * The equals sign may be percent-encoded, or escaped for JSON or HTML. A value ends at a character that must be escaped in a
 * query (URL Standard, section 1.3). In a URL inside a URL, it includes the parameters after it.
 */
const SECRET_PARAMETER = new RegExp(
	`((?:${SECRET_NAMES.join('|')})(?:=|%3d|\\\\u003d|&#(?:61|x3d);))[^\\s"'<>&#\\\\]+`,
	'gi',
);

/** The user name and password of a URL. Matches do not overlap because none contains a slash. */
const USER_OF_URL = /(:\/\/)[^\s"'<>/?#@]+@/g;

/**
 * Masks the values of secret parameters in URLs, and known secrets, both also if they are percent-encoded or escaped for JSON
 * or HTML. Takes linear time.
 *
 * @param known such as the API key; empty ones are ignored
 */
export function maskSecrets(text: string, known: readonly string[] = []): string {
	let masked = text;
	for (const secret of known) masked = maskKnown(masked, secret);
	masked = masked.replace(USER_OF_URL, `$1${MASK}@`);
	return masked.replace(SECRET_PARAMETER, `$1${MASK}`);
}

/**
 * Masks the API key in a response, also if it is percent-encoded or escaped in its JSON. A key that could be a number or a word
 * of the JSON itself is left alone: too short, or only digits.
 */
export function maskKey(text: string, apiKey: string): string {
	const isSafe = apiKey.length >= MIN_KEY_LENGTH && /\D/.test(apiKey);
	if (!isSafe) return text;
	// Nothing escapes letters and digits, and nearly all responses contain none of the key.
	const words = apiKey.match(/[a-z\d]+/gi) ?? [];
	const [longest = ''] = words.sort((one, other) => other.length - one.length);
	if (!text.includes(longest)) return text;
	return maskKnown(text, apiKey);
}

/** Masks all parameter values, the fragment and the user name, because any may be a secret. @param url may be invalid */
export function maskUrlSecret(url: string): string {
	const parts = /^([^?#]*)([^#]*)(.*)$/s.exec(url) ?? [];
	const [, address = '', query = '', fragment = ''] = parts;
	const maskedQuery = query
		.replace(/=[^&]+/g, `=${MASK}`)
		.replace(/(^\?|&)[^=&]+(?=&|$)/g, `$1${MASK}`);
	const maskedFragment = fragment.length > 1 ? `#${MASK}` : '';
	return maskSecrets(address) + maskedQuery + maskedFragment;
}

/** Such a URL cannot receive deliveries. */
export function isMaskedUrl(url: string): boolean {
	const decoded = url.replaceAll(/%2a/gi, '*').replaceAll(/%3d/gi, '=');
	return ['=', '?', '&', '#', '://'].some((before) => decoded.includes(before + MASK));
}

/** A response may quote them without their names. */
export function secretsOfUrl(url: string): string[] {
	const secrets: string[] = [];
	for (const [name, value] of parseUrl(url)?.searchParams ?? []) {
		const parameter = name.toLowerCase();
		const isSecret = SECRET_NAMES.some((ending) => parameter.endsWith(ending));
		if (isSecret && value !== '') secrets.push(value);
	}
	return secrets;
}

function maskKnown(text: string, secret: string): string {
	if (secret === '') return text;
	const anySpelling = [...secret].map(spellingsOf).join('');
	return text.replace(new RegExp(anySpelling, 'gi'), MASK);
}

/** The source of a regular expression for a character: itself, percent-encoded, and escaped for JSON and HTML. */
function spellingsOf(character: string): string {
	const bytes = [...Buffer.from(character)];
	const percent = bytes.map((byte) => `%${hex(byte, 2)}`).join('');

	// JSON may have a backslash before these.
	const backslash = /["\\/]/.test(character) ? '\\\\?' : '';
	const plain = backslash + literalPattern(character);

	const code = character.codePointAt(0) ?? 0;
	const json = `\\\\u${hex(code, 4)}`;
	const html = `&#(?:${code}|x${hex(code)});`;
	return `(?:${plain}|${percent}|${json}|${html})`;
}

function hex(value: number, digits = 1): string {
	return value.toString(16).padStart(digits, '0');
}
