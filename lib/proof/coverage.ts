import type { WrittenField } from '../email';

/** How often each name occurs. */
export type Counts = ReadonlyMap<string, number>;

/** Whether a field is signed as often as it occurs or, if it does not occur, must not be added (RFC 6376, 5.4.2). */
export type Covers = (name: string) => boolean;

/** Fields that may appear once (RFC 5322, 3.6; RFC 2045): of duplicates, mail programs use different ones. */
const ONCE =
	'from subject date sender reply-to to cc message-id in-reply-to references mime-version content-type content-transfer-encoding content-disposition content-id'.split(
		' ',
	);

export function countsOf(names: readonly string[]): Counts {
	const counts = new Map<string, number>();
	for (const name of names) counts.set(name, timesIn(counts, name) + 1);
	return counts;
}

const timesIn = (counts: Counts, name: string): number => counts.get(name) ?? 0;

export const countFields = (fields: readonly WrittenField[]): Counts =>
	countsOf(fields.map(({ name }) => name));

export const doubledFields = (written: Counts): string[] =>
	ONCE.filter((name) => timesIn(written, name) > 1);

/** @param covered the names in h=, with repetitions */
export function coverageOf(covered: readonly string[], written: Counts): Covers {
	const signed = countsOf(covered);
	return (name) => timesIn(signed, name) >= Math.max(timesIn(written, name), 1);
}

/** Why a valid signature does not prove the sender: others could add fields that mail programs show. */
export function flawOfCoverage(covers: Covers, written: Counts) {
	if (!doubledFields(written).every(covers)) return 'doubledField';
	if (!covers('from')) return 'fromNotSigned';
	return written.has('subject') && !covers('subject') ? 'subjectNotSigned' : null;
}

/** The names of the fields that are covered and occur, in the order of the header. */
export const signedNames = (covers: Covers, written: Counts): string[] =>
	[...written.keys()].filter(covers);

/** What each of several signatures covers. */
export const coveredByAll = (signatures: readonly Covers[]): Covers =>
	signatures.length === 0 ? () => false : (name) => signatures.every((covers) => covers(name));

/** Of several signatures, the one that says most of how the content is read, and then covers most fields. */
export function bestCoverage(signatures: readonly Covers[], written: Counts): Covers | undefined {
	const ofContent = (covers: Covers) =>
		2 * Number(covers('content-type')) + Number(covers('content-transfer-encoding'));
	const [best] = signatures.toSorted(
		(one, other) =>
			ofContent(other) - ofContent(one) ||
			signedNames(other, written).length - signedNames(one, written).length,
	);
	return best;
}
