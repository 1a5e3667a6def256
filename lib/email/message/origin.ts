import { readPlusTag } from '../../basics';
import { automaticOf, type Automatic } from './automatic';
import { withoutComments } from '../mime/headerFields';
import { EMAIL_LIMITS } from '../limits';
import type { HeaderField } from '../mime/splitEmail';

/** The origin of an email, from its header. */
export interface EmailOrigin {
	/** Null if a person wrote it, or if unknown. */
	automatic: Automatic | null;
	/**
	 * Whether these fields alone make it an automatic email of this kind.
	 *
	 * @param names in lower case
	 */
	isAutomaticBy(names: readonly string[]): boolean;
	/** The address that it was delivered to, as mail servers recorded it; null if unknown. */
	deliveredTo(): string | null;
	/**
	 * The value of a field, not decoded; `''` if missing. If the field is repeated, the topmost one counts, which the last
	 * server added.
	 *
	 * @param name in lower case
	 */
	topmost(name: string): string;
}

export function originOf(header: HeaderField[]): EmailOrigin {
	const values = new Map<string, string>();
	for (const { name, value } of header) {
		if (!values.has(name)) values.set(name, value);
	}
	const automatic = automaticOf(values);
	return {
		automatic,
		isAutomaticBy: (names) => {
			const named = [...values].filter(([name]) => names.includes(name));
			return automaticOf(new Map(named)) === automatic;
		},
		deliveredTo: () => deliveredToIn(header),
		topmost: (name) => values.get(name) ?? '',
	};
}

/** Fields that a server adds when it delivers to a mailbox, the most reliable first (RFC 9228; Postfix; Exim). */
const WRITTEN_AT_THE_MAILBOX = ['delivered-to', 'x-original-to', 'envelope-to'];

/** RFC 5321, 4.5.3.1: 64 characters, an at sign, 255 characters. */
const MAX_ADDRESS = 320;

const NO_ADDRESS = /[\s<>,;\p{Cc}]/u;

/**
 * Servers add fields at the top, so the topmost fields are from the server nearest to the mailbox. Searches the fields above
 * the topmost `Received`, then its `for`, and then continues below it.
 */
function deliveredToIn(header: HeaderField[]): string | null {
	const above = new Map<string, string>();
	const recorded = () =>
		WRITTEN_AT_THE_MAILBOX.map((name) => toRecipient(above.get(name) ?? '')).find(
			(address) => address !== null,
		) ?? null;
	let hops = 0;
	for (const { name, value } of header) {
		if (name === 'received') {
			const recipient = recorded() ?? readForClause(value);
			if (recipient !== null || ++hops === EMAIL_LIMITS.hops) return recipient;
			above.clear();
		} else if (WRITTEN_AT_THE_MAILBOX.includes(name) && !above.has(name)) {
			above.set(name, value);
		}
	}
	return recorded();
}

/**
 * Reads an address, alone or in angle brackets after a name. Its domain becomes lower case.
 *
 * @returns null if it is not an address
 */
export function toRecipient(text: string): string | null {
	if (text.length > EMAIL_LIMITS.field) return null;
	const written = text.trim();
	const address = /<([^<>]*)>$/.exec(written)?.[1] ?? written;
	const at = address.lastIndexOf('@');
	const isAddress = at > 0 && at < address.length - 1 && address.length <= MAX_ADDRESS;
	if (!isAddress || NO_ADDRESS.test(address)) return null;
	return address.slice(0, at) + address.slice(at).toLowerCase();
}

/** The plus tag of an address; null if there is none. */
export function tagOf(recipient: string): string | null {
	return readPlusTag(recipient.slice(0, recipient.lastIndexOf('@'))).tag;
}

/** The address after `for` in a `Received` field (RFC 5321, 4.4), outside comments. Ignored if there are several. */
function readForClause(received: string): string | null {
	const [clauses = ''] = withoutComments(received.slice(0, EMAIL_LIMITS.field)).split(';', 1);
	const words = clauses.split(/\s+/);
	const at = words.map((word) => word.toLowerCase()).lastIndexOf('for');
	const [address = '', next = ''] = at < 0 ? [] : words.slice(at + 1);
	return next.startsWith(',') ? null : toRecipient(address);
}
