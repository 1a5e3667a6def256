import { mergeSpf } from '../spf/mergedSpf';
import { isNearlySpf, isSpf, readSpf } from '../spf/spfRecord';
import { canonicalTerm, MOST_LOOKUPS, walkSpf, type SpfWalk } from '../spf/spfWalk';
import type { Questions } from '../questions';
import { foundText, type DnsProblem, type DnsProblemCode } from './problems';
import { different, missing } from './recordComparison';
import type { RequiredRecord } from './requiredRecord';

/** What a record may make receivers ask for, and how much of it in vain (RFC 7208, section 4.6.4). */
const ALLOWED_LOOKUPS = 10;
const ALLOWED_VOIDS = 2;

/** Whether a required record is an SPF record. */
export const isForSpf = ({ type, value }: RequiredRecord): boolean =>
	type === 'TXT' && isSpf(value);

/**
 * Whether receivers can tell by SPF who may send for a name.
 *
 * @param required the SPF record that the service wants there; undefined where it wants none
 * @param domain that the name belongs to
 */
export async function checkSpf(
	questions: Questions,
	name: string,
	required: RequiredRecord | undefined,
	domain: string,
): Promise<DnsProblem[]> {
	const texts = await questions.records(name, 'TXT');
	if (texts === undefined) return [];
	const records = texts.filter(isSpf);
	const nearly = texts.filter(isNearlySpf);
	const found = foundText(records.length > 0 ? records : nearly);
	const merged = mergeSpf(records, required?.value ?? null);
	const expected = records.length > 1 ? merged : (required?.expected ?? null);
	const problem = (code: DnsProblemCode, reason: string | null = null): DnsProblem => ({
		...{ code, record: { type: 'TXT', name, expected, found }, reason },
	});

	const [text, ...others] = records;
	if (others.length > 0) return [problem('spfDoubled')];
	if (text === undefined) {
		if (nearly.length > 0) return [problem('spfInvalid', 'it does not begin with v=spf1')];
		return [required ? await missing(questions, required, domain) : problem('spfMissing')];
	}
	const record = readSpf(text);
	const walk = await walkSpf(questions, record, name);
	const flaws = FLAWS.flatMap(({ code, isIn, reason }) =>
		isIn(walk) ? [problem(code, reason(walk))] : [],
	);
	if (record.end === undefined) flaws.push(problem('spfWithoutEnd'));
	if (record.end?.kind === 'all' && record.end.qualifier === '+') {
		flaws.push(problem('spfAllowsEverybody'));
	}
	if (required !== undefined && !allows(walk, required)) {
		flaws.push(different({ ...required, expected: merged }, found));
	}
	return flaws;
}

/** What makes receivers give up, and how that is seen. */
const FLAWS: ReadonlyArray<{
	code: DnsProblemCode;
	isIn(walk: SpfWalk): boolean;
	reason(walk: SpfWalk): string | null;
}> = [
	{ code: 'spfInvalid', isIn: ({ flaw }) => flaw !== null, reason: ({ flaw }) => flaw },
	{ code: 'spfLoop', isIn: ({ loop }) => loop !== null, reason: ({ loop }) => loop },
	{
		code: 'spfTooManyLookups',
		isIn: ({ lookups }) => lookups > ALLOWED_LOOKUPS,
		reason: ({ lookups }) => (lookups < MOST_LOOKUPS ? `${lookups}` : `at least ${lookups}`),
	},
	{
		code: 'spfVoidLookups',
		isIn: ({ voids }) => voids.length > ALLOWED_VOIDS,
		reason: ({ voids }) => [...new Set(voids)].slice(0, 5).join(', '),
	},
];

/** Whether all whom the required record names may send, wherever that is said; also where not all of it was read. */
function allows(walk: SpfWalk, { name, value }: RequiredRecord): boolean {
	if (!walk.isWhole || walk.flaw !== null || walk.lookups >= MOST_LOOKUPS) return true;
	return readSpf(value)
		.terms.filter(({ kind, qualifier }) => kind !== 'all' && qualifier === '+')
		.every((term) => walk.allowed.has(canonicalTerm(term, name)));
}
