import { literalPattern, parseUrl } from '../../../lib/basics';

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
	const withoutKnown = known.reduce((rest, secret) => maskKnown(rest, secret), text);
	return withoutKnown.replace(USER_OF_URL, `$1${MASK}@`).replace(SECRET_PARAMETER, `$1${MASK}`);
}

/**
 * Masks the API key in a response, also if it is percent-encoded or escaped in its JSON. A key that could be a number or a word
 * of the JSON itself is left alone: too short, or only digits.
 */
export function maskKey(text: string, apiKey: string): string {
	// Nothing escapes letters and digits, and nearly all responses contain none of the key.
	const [longest = ''] = (apiKey.match(/[a-z\d]+/gi) ?? []).sort((a, b) => b.length - a.length);
	const isSafe = apiKey.length >= MIN_KEY_LENGTH && /\D/.test(apiKey);
	if (!isSafe || !text.includes(longest)) return text;
	return maskKnown(text, apiKey);
}

/** Masks all parameter values, the fragment and the user name, because any may be a secret. @param url may be invalid */
export function maskUrlSecret(url: string): string {
	const [, address = '', query = '', fragment = ''] = /^([^?#]*)([^#]*)(.*)$/s.exec(url) ?? [];
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
	const isSecret = (name: string) => SECRET_NAMES.some((ending) => name.endsWith(ending));
	return [...(parseUrl(url)?.searchParams ?? [])]
		.filter(([name, value]) => value !== '' && isSecret(name.toLowerCase()))
		.map(([, value]) => value);
}

function maskKnown(text: string, secret: string): string {
	if (secret === '') return text;
	return text.replace(new RegExp(spellings(secret), 'gi'), MASK);
}

/** The source of a regular expression for a text with any character escaped or percent-encoded. */
function spellings(text: string): string {
	return [...text]
		.map((character) => {
			const percent = [...Buffer.from(character)]
				.map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
				.join('');
			const code = character.codePointAt(0) ?? 0;
			const unicode = `\\\\u${code.toString(16).padStart(4, '0')}`;
			const plain = (/["\\/]/.test(character) ? '\\\\?' : '') + literalPattern(character);
			return `(?:${plain}|${percent}|${unicode}|&#(?:${code}|x${code.toString(16)});)`;
		})
		.join('');
}
