import { isSameAddress } from '../../shared/urlEquality';
import { PARAMETER, secretOfUrl } from '../secret';

/**
 * What a subscription's URL, as the service shows it, says about the one it was given.
 *
 * - `right`: the same address with the same secret, whatever the spelling
 * - `hidden`: the same address, with the secret masked: nothing can be said about it
 * - `secretLost`: the same address without the secret, or with another one
 * - `elsewhere`: another address
 */
export type ShownUrl = 'right' | 'hidden' | 'secretLost' | 'elsewhere';

/** What a secret does not consist of, or not for so long, and a mask does. */
const MASK = /[^\w-]|x{6}|X{6}/;

const MASK_WORD = /^(?:redacted|hidden|masked|secret|removed|filtered)$/i;

/** Compares the URL that is shown with the one that is desired. */
export function readShownUrl(shown: string | null, desired: string): ShownUrl {
	if (!shown) return 'hidden';
	if (!isSameAddress(shown, desired)) return 'elsewhere';
	const { searchParams } = new URL(shown);
	const [secret, ...more] = searchParams.getAll(PARAMETER);
	// n8n makes a list of a repeated parameter, and the node takes that for none.
	if (more.length > 0) return 'secretLost';
	if (secret === undefined) {
		return [...searchParams.keys()].some((name) => MASK.test(name)) ? 'hidden' : 'secretLost';
	}
	if (secret === secretOfUrl(desired)) return 'right';
	return isMask(secret) ? 'hidden' : 'secretLost';
}

function isMask(value: string): boolean {
	const isOneLetter = value !== '' && new Set(value).size === 1;
	return isOneLetter || MASK.test(value) || MASK_WORD.test(value);
}
