import { splitAddress } from '../../basics';
import { automaticOf, type Automatic } from './automatic';
import { withoutComments } from '../mime/comments';
import { EMAIL_LIMITS } from '../limits';
import type { HeaderField } from '../mime/headerFields';

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

/** Whether a mail server or mail program wrote an email to report about another one. */
export function isReport({ automatic }: EmailOrigin): boolean {
	return automatic === 'bounce' || automatic === 'report';
}

/** @param header with names in lower case */
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
	/** Since the last `Received`. */
	const above = new Map<string, string>();
	let hops = 0;
	for (const { name, value } of header) {
		if (name === 'received') {
			const recipient = recordedIn(above) ?? readForClause(value);
			hops += 1;
			if (recipient !== null || hops === EMAIL_LIMITS.hops) return recipient;
			above.clear();
		} else if (WRITTEN_AT_THE_MAILBOX.includes(name) && !above.has(name)) {
			above.set(name, value);
		}
	}
	return recordedIn(above);
}

function recordedIn(fields: ReadonlyMap<string, string>): string | null {
	for (const name of WRITTEN_AT_THE_MAILBOX) {
		const address = toRecipient(fields.get(name) ?? '');
		if (address !== null) return address;
	}
	return null;
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
	if (address.length > MAX_ADDRESS || NO_ADDRESS.test(address)) return null;
	const { mailbox, domain } = splitAddress(address);
	if (mailbox === '' || domain === '') return null;
	return `${mailbox}@${domain.toLowerCase()}`;
}

/** The address after `for` in a `Received` field (RFC 5321, 4.4), outside comments. Ignored if there are several. */
function readForClause(received: string): string | null {
	const written = withoutComments(received.slice(0, EMAIL_LIMITS.field));
	const [clauses = ''] = written.split(';', 1);
	const words = clauses.split(/\s+/);
	const at = words.findLastIndex((word) => word.toLowerCase() === 'for');
	if (at < 0) return null;
	const isOneOfSeveral = words[at + 2]?.startsWith(',') === true;
	return isOneOfSeveral ? null : toRecipient(words[at + 1] ?? '');
}
