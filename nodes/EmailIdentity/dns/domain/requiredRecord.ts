import { toDomainName, toWholeName } from '../domainName';
import type { DnsRecordType } from '../resolver';

/** A record that a domain needs, in the words of the service that wants it. */
export interface WrittenRecord {
	type: string | null;
	name: string | null;
	value: string | null;
	priority: string | null;
}

/** A record that a domain needs, to be compared with what the DNS answers. */
export interface RequiredRecord {
	type: DnsRecordType;
	/** In full, as the DNS is asked for it. */
	name: string;
	/** The text of a TXT record, else the name or the address that it points to. */
	value: string;
	/** As it is entered. */
	expected: string;
}

export interface DomainToCheck {
	/** As the DNS is asked for it. */
	name: string;
	/** Whether the service is to receive mail for it; null where it does not say. */
	receives: boolean | null;
	/** What the service wants to stand in its DNS. */
	required: readonly RequiredRecord[];
}

const TYPES: readonly DnsRecordType[] = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'];

/** `10 mail.example.com`: the preference may stand before the name (RFC 1035, section 3.3.9). */
const MX_VALUE = /^(?:(\d{1,5})\s+)?(\S+)$/;

/** Stands for a quote that ends nothing; no record holds it. */
const ESCAPED_QUOTE = '\uffff';

/**
 * Reads a record as a service lists it.
 *
 * @param domain that it is for, as the DNS is asked for it
 * @returns undefined where it cannot be compared with anything
 */
export function toRequiredRecord(
	{ type, name, value, priority }: WrittenRecord,
	domain: string,
): RequiredRecord | undefined {
	const known = TYPES.find((candidate) => candidate === type?.trim().toUpperCase());
	const wholeName = toWholeName(name ?? '', domain);
	const text = value?.trim() ?? '';
	if (known === undefined || wholeName === undefined || text === '') return undefined;
	if (known === 'TXT') {
		const plain = unquoted(text);
		return { type: known, name: wholeName, value: plain, expected: plain };
	}
	if (known === 'A' || known === 'AAAA') {
		return { type: known, name: wholeName, value: text.toLowerCase(), expected: text };
	}
	const [, preference = priority, written = text] = (known === 'MX' && MX_VALUE.exec(text)) || [];
	const target = toDomainName(written);
	if (target === undefined) return undefined;
	const expected = known === 'MX' && preference !== null ? `${preference} ${target}` : target;
	return { type: known, name: wholeName, value: target, expected };
}

/** A text as a zone file has it: in quotes, perhaps in several parts; or as it is. */
function unquoted(text: string): string {
	const pieces = text.replaceAll('\\"', ESCAPED_QUOTE).split('"');
	// Parts are the pieces at odd places; between them stand blanks alone.
	const isQuoted =
		pieces.length > 1 &&
		pieces.length % 2 === 1 &&
		pieces.every((piece, index) => index % 2 === 1 || piece.trim() === '');
	const parts = isQuoted ? pieces.filter((_, index) => index % 2 === 1) : pieces;
	return parts
		.join(isQuoted ? '' : '"')
		.replaceAll(ESCAPED_QUOTE, '"')
		.replace(/\\([;\\])/g, '$1');
}

/** Whether a record is a DKIM key, or leads to one. */
export const isForDkim = ({ type, name }: RequiredRecord): boolean =>
	(type === 'CNAME' || type === 'TXT') && name.split('.').includes('_domainkey');

/** Whether a record is the DMARC policy, or leads to it. */
export const isForDmarc = ({ name }: RequiredRecord): boolean => name.startsWith('_dmarc.');
