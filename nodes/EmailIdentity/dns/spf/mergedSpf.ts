import { readSpf, type SpfTerm } from './spfRecord';

/** What most services recommend for the end: who is not named is suspicious. */
const USUAL_END = '~all';

/**
 * One SPF record out of several: a domain may have one only, and it has to name all who send for it.
 *
 * @param records that are there, with those whose words win first
 * @param required a record with mechanisms that have to be in it, too; null for none
 */
export function mergeSpf(records: readonly string[], required: string | null): string {
	const read = records.map(readSpf);
	const wanted = required === null ? [] : readSpf(required).terms;
	const terms = [...wanted, ...read.flatMap((record) => record.terms)].filter(isMechanism);
	const redirect = read.length === 1 && read[0]?.end?.kind === 'redirect' ? read[0].end : undefined;
	const end = redirect ?? read.map((record) => record.end).find((term) => term?.kind === 'all');
	const words = new Set(terms.map(({ written }) => written));
	return ['v=spf1', ...words, end?.written ?? USUAL_END].join(' ');
}

const isMechanism = ({ kind }: SpfTerm): boolean => kind !== 'all' && kind !== 'redirect';
