import { isSameAddress, isSameReceiver, toUrl } from '../../lib/hosts';
import { PARAMETER, secretOfUrl } from '../secret';

/**
 * What a subscription's URL, as the service shows it, says about the one it was given.
 *
 * - `right`: the same address with the same secret, whatever the spelling
 * - `hidden`: the same address, with the secret masked: nothing can be said about it
 * - `secretLost`: the same address without the secret, or with another one
 * - `elsewhere`: another address, or without what else has to be in its query
 */
export type ShownUrl = 'right' | 'hidden' | 'secretLost' | 'elsewhere';

/** What a secret does not consist of, or not for so long, and a mask does. */
const MASK = /[^\w-]|x{6}|X{6}/;

const MASK_WORD = /^(?:redacted|hidden|masked|secret|removed|filtered)$/i;

/** Compares the URL that is shown with the one that is desired. */
export function readShownUrl(shown: string | null, desired: string): ShownUrl {
	if (!shown) return 'hidden';
	const given = toUrl(desired).searchParams;
	const others = [...new Set(given.keys())].filter((name) => name !== PARAMETER);
	// A slash at the end makes no difference to n8n, whose addresses have no query of their own. To a gateway it may.
	const isThere = others.length > 0 ? isSameReceiver : isSameAddress;
	if (!isThere(shown, desired)) return 'elsewhere';
	const { searchParams } = toUrl(shown);
	const secret = readSecret(searchParams, desired);
	if (secret === 'secretLost') return secret;
	const rest = others.map((name) => readParameter(searchParams, name, given.getAll(name)));
	return [...rest, secret].find((reading) => reading !== 'right') ?? 'right';
}

function readSecret(
	shown: URLSearchParams,
	desired: string,
): Extract<ShownUrl, 'right' | 'hidden' | 'secretLost'> {
	const [secret, ...more] = shown.getAll(PARAMETER);
	// n8n makes a list of a repeated parameter, and the node takes that for none.
	if (more.length > 0) return 'secretLost';
	if (secret === undefined) return isQueryMasked(shown) ? 'hidden' : 'secretLost';
	if (secret === secretOfUrl(desired)) return 'right';
	return isMask(secret) ? 'hidden' : 'secretLost';
}

/** A parameter of the Delivery URL's own, or the one that names the node. */
function readParameter(
	shown: URLSearchParams,
	name: string,
	given: readonly string[],
): Extract<ShownUrl, 'right' | 'hidden' | 'elsewhere'> {
	const values = shown.getAll(name);
	if (JSON.stringify(values) === JSON.stringify(given)) return 'right';
	const isHidden = values.length > 0 ? values.some(isMask) : isQueryMasked(shown);
	return isHidden ? 'hidden' : 'elsewhere';
}

function isQueryMasked(shown: URLSearchParams): boolean {
	return [...shown.keys()].some((name) => MASK.test(name));
}

function isMask(value: string): boolean {
	const isOneLetter = value !== '' && new Set(value).size === 1;
	return isOneLetter || MASK.test(value) || MASK_WORD.test(value);
}
