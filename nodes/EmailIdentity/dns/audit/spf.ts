import type { Questions } from '../resolver/questions';
import { foundText, type DnsProblem, type DnsProblemCode } from './problems';
import { different, missing, type RequiredRecord } from './required';
import {
	hasMacro,
	isNearlySpf,
	isSpf,
	nameIn,
	prefixIn,
	readSpf,
	type SpfRecord,
	type SpfTerm,
} from './spfRecord';

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
		reason: ({ lookups }) => (lookups < MAX_LOOKUPS ? `${lookups}` : `at least ${lookups}`),
	},
	{
		code: 'spfVoidLookups',
		isIn: ({ voids }) => voids.length > ALLOWED_VOIDS,
		reason: ({ voids }) => [...new Set(voids)].slice(0, 5).join(', '),
	},
];

/** Whether all whom the required record names may send, wherever that is said; also where not all of it was read. */
function allows(walk: SpfWalk, { name, value }: RequiredRecord): boolean {
	if (!walk.isWhole || walk.flaw !== null || walk.lookups >= MAX_LOOKUPS) return true;
	return readSpf(value)
		.terms.filter(({ kind, qualifier }) => kind !== 'all' && qualifier === '+')
		.every((term) => walk.allowed.has(canonicalTerm(term, name)));
}

/** What an SPF record comes to for a sender whom nothing in it matches: all of it is evaluated. */
interface SpfWalk {
	/** Terms that make receivers ask the DNS; ten are allowed (RFC 7208, section 4.6.4). */
	lookups: number;
	/** Names that are asked for and are not there; two are allowed (the same section). */
	voids: string[];
	/** Why receivers give up, in a few words; the first reason. */
	flaw: string | null;
	/** The domain that leads back to itself; null where none does. */
	loop: string | null;
	/** Who may send, wherever on the way it is said: mechanisms in one way of writing. */
	allowed: Set<string>;
	/** Whether all of it was there to be read. */
	isWhole: boolean;
}

/** How many terms are followed: enough to see that there are too many, few enough for a record that grows without end. */
const MAX_LOOKUPS = 30;

/** A domain may have more servers than receivers ask for (RFC 7208, section 4.6.4). */
const MAX_MX = 10;

/** The terms that make receivers ask. */
const ASKING: ReadonlySet<string> = new Set(['a', 'exists', 'include', 'mx', 'ptr', 'redirect']);

/**
 * Goes through an SPF record and all that it includes, in the order in which receivers do, within a bound.
 *
 * @param record of the name
 * @param name that it belongs to, as the DNS is asked for it
 */
async function walkSpf(questions: Questions, record: SpfRecord, name: string): Promise<SpfWalk> {
	const walk: SpfWalk = {
		...{ lookups: 0, voids: [], flaw: null, loop: null, allowed: new Set(), isWhole: true },
	};
	await follow({ questions, walk }, record, [name]);
	return walk;
}

/** One way of writing a mechanism, to compare it with another. */
function canonicalTerm(term: SpfTerm, name: string): string {
	const { kind, target } = term;
	if (kind === 'redirect' || kind === 'include') return `include:${nameIn(term, name)}`;
	if (kind === 'ip4') return `ip4:${target.replace(/\/32$/, '')}`;
	if (kind === 'ip6') return `ip6:${target.replace(/\/128$/, '')}`;
	return `${kind}:${nameIn(term, name)}${prefixIn(term)}`;
}

interface Way {
	questions: Questions;
	walk: SpfWalk;
}

/** @param path the names whose records led here, the last one its own */
async function follow(way: Way, record: SpfRecord, path: readonly string[]): Promise<void> {
	const { walk } = way;
	const name = path.at(-1) ?? '';
	if (record.flaw !== null) {
		walk.flaw ??= of(name, record.flaw, path);
		return;
	}
	for (const term of record.terms) {
		if (walk.lookups >= MAX_LOOKUPS) return;
		if (term.qualifier === '+') walk.allowed.add(canonicalTerm(term, name));
		if (!ASKING.has(term.kind)) continue;
		walk.lookups++;
		if (hasMacro(term.target) || term.kind === 'ptr') continue;
		const target = nameIn(term, name);
		if (term.kind === 'include' || term.kind === 'redirect') await enter(way, target, path);
		else await resolve(way, term.kind, target);
	}
}

async function enter(way: Way, target: string, path: readonly string[]): Promise<void> {
	const { questions, walk } = way;
	if (path.includes(target)) {
		walk.loop ??= target;
		return;
	}
	const texts = await questions.records(target, 'TXT');
	if (texts === undefined) {
		walk.isWhole = false;
		return;
	}
	if (texts.length === 0) walk.voids.push(target);
	const [text, ...others] = texts.filter(isSpf);
	if (text === undefined) walk.flaw ??= `it includes ${target}, which has no SPF record`;
	else if (others.length > 0) walk.flaw ??= `it includes ${target}, which has two SPF records`;
	else await follow(way, readSpf(text), [...path, target]);
}

/** Looks whether what `a`, `mx` and `exists` name is there. */
async function resolve({ questions, walk }: Way, kind: string, target: string): Promise<void> {
	const found = await questions.records(target, kind === 'mx' ? 'MX' : 'A');
	if (found !== undefined && kind === 'mx' && found.length > MAX_MX) {
		walk.flaw ??= `${target} has more than ${MAX_MX} MX records`;
	}
	const isVoid =
		found?.length === 0 &&
		(kind !== 'a' || (await questions.records(target, 'AAAA'))?.length === 0);
	if (isVoid) walk.voids.push(target);
}

const of = (name: string, flaw: string, path: readonly string[]): string =>
	path.length === 1 ? flaw : `in ${name}, which it includes, ${flaw}`;

/** What most services recommend for the end: who is not named is suspicious. */
const USUAL_END = '~all';

/**
 * One SPF record out of several: a domain may have one only, and it has to name all who send for it.
 *
 * @param records that are there, with those whose words win first
 * @param required a record with mechanisms that have to be in it, too; null for none
 */
function mergeSpf(records: readonly string[], required: string | null): string {
	const read = records.map(readSpf);
	const wanted = required === null ? [] : readSpf(required).terms;
	const terms = [...wanted, ...read.flatMap((record) => record.terms)].filter(isMechanism);
	const redirect = read.length === 1 && read[0]?.end?.kind === 'redirect' ? read[0].end : undefined;
	const end = redirect ?? read.map((record) => record.end).find((term) => term?.kind === 'all');
	const words = new Set(terms.map(({ written }) => written));
	return ['v=spf1', ...words, end?.written ?? USUAL_END].join(' ');
}

const isMechanism = ({ kind }: SpfTerm): boolean => kind !== 'all' && kind !== 'redirect';
