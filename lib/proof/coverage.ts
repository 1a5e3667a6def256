import type { WrittenField } from '../email';
import type { SignatureReason } from './reasons';

/** How often each name occurs. */
export type Counts = ReadonlyMap<string, number>;

/**
 * Whether a field is signed as often as it occurs or, if it does not occur, must not be added (RFC 6376, 5.4.2).
 *
 * Somebody who got a signed email can write a second Subject above the signed one and send it to others: the signature, which
 * covers one Subject, stays valid, and mail programs show the other one. Therefore the number counts.
 *
 * @example `h=from:subject:subject` covers the subject of an email with one or two of them
 */
export type Covers = (name: string) => boolean;

/**
 * Fields that may appear once (RFC 5322, 3.6; RFC 2045). Of two, one program shows the upper one and another the lower one: so what was
 * signed need not be what somebody reads.
 */
const ONCE: readonly string[] = [
	'from',
	'subject',
	'date',
	'sender',
	'reply-to',
	'to',
	'cc',
	'message-id',
	'in-reply-to',
	'references',
	'mime-version',
	'content-type',
	'content-transfer-encoding',
	'content-disposition',
	'content-id',
];

function countsOf(names: readonly string[]): Counts {
	const counts = new Map<string, number>();
	for (const name of names) counts.set(name, timesIn(counts, name) + 1);
	return counts;
}

const timesIn = (counts: Counts, name: string): number => counts.get(name) ?? 0;

export function countFields(fields: readonly WrittenField[]): Counts {
	return countsOf(fields.map(({ name }) => name));
}

/** The names of fields that may appear once, but appear again. */
export function doubledFields(written: Counts): string[] {
	return ONCE.filter((name) => timesIn(written, name) > 1);
}

/** @param covered the names in h=, with repetitions */
export function coverageOf(covered: readonly string[], written: Counts): Covers {
	const signed = countsOf(covered);
	return (name) => timesIn(signed, name) >= Math.max(timesIn(written, name), 1);
}

/** Why a valid signature does not prove the sender: others could add fields that mail programs show. Null if it does. */
export function flawOfCoverage(covers: Covers, written: Counts): SignatureReason | null {
	if (!doubledFields(written).every(covers)) return 'doubledField';
	if (!covers('from')) return 'fromNotSigned';
	if (written.has('subject') && !covers('subject')) return 'subjectNotSigned';
	return null;
}

/** The names of the fields that are covered and occur, in the order of the header. */
export function signedNames(covers: Covers, written: Counts): string[] {
	return [...written.keys()].filter(covers);
}

/** What each of several signatures covers; nothing if there are none. */
export function coveredByAll(signatures: readonly Covers[]): Covers {
	return (name) => signatures.length > 0 && signatures.every((covers) => covers(name));
}

/**
 * Of several signatures, the one that says most of how the content is read, and then covers most fields. Together they would
 * say more than any signer said.
 *
 * @returns undefined for none
 */
export function bestCoverage(signatures: readonly Covers[], written: Counts): Covers | undefined {
	const [best] = signatures.toSorted((one, other) => {
		const byContent = weightOfContent(other) - weightOfContent(one);
		if (byContent !== 0) return byContent;
		return signedNames(other, written).length - signedNames(one, written).length;
	});
	return best;
}

function weightOfContent(covers: Covers): number {
	let weight = 0;
	if (covers('content-type')) weight += 2;
	if (covers('content-transfer-encoding')) weight += 1;
	return weight;
}
