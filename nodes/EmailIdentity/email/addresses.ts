import { addressParser } from 'postal-mime';

import { recodeWords } from './encodedWords';
import { oneLine } from './headerFields';
import type { EmailAddress } from './types';

// Two thousand recipients, and more than mail servers let through.
const LONGEST_LIST = 100_000;

// Groups hold no groups (RFC 5322, 3.4), but the MIME library reads up to fifty within each other, each anew. In a list
// of ordinary length this takes no time.
const ORDINARY_LIST = 5000;
const MOST_GROUPS_OF_LONG_LIST = 3;

/**
 * The mailboxes of an address header's value; groups are replaced by their members (RFC 5322, 3.4).
 *
 * The time is bounded: of a list that is longer than any that is sent, the first hundred thousand characters are read.
 */
export function parseAddresses(value: string): EmailAddress[] {
	const list = withFewGroups(recodeWords(value.slice(0, LONGEST_LIST)).slice(0, LONGEST_LIST));
	return toAddresses(addressParser(list, { flatten: true }));
}

/** Mailboxes in the documented shape. Those that say nothing are left out. */
export function toAddresses(mailboxes: Array<{ name: string; address?: string }>): EmailAddress[] {
	return mailboxes
		.map(({ name, address }) => ({ name: oneLine(name), address: oneLine(address ?? '') }))
		.filter(({ name, address }) => name !== '' || address !== '');
}

function withFewGroups(list: string): string {
	if (list.length <= ORDINARY_LIST) return list;
	let colons = 0;
	return list.replace(/:/g, (colon) => (++colons > MOST_GROUPS_OF_LONG_LIST ? ' ' : colon));
}
