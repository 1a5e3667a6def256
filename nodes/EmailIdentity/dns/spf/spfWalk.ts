import type { Questions } from '../questions';
import {
	hasMacro,
	isSpf,
	nameIn,
	prefixIn,
	readSpf,
	type SpfRecord,
	type SpfTerm,
} from './spfRecord';

/** What an SPF record comes to for a sender whom nothing in it matches: all of it is evaluated. */
export interface SpfWalk {
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
export const MOST_LOOKUPS = 30;

/** A domain may have more servers than receivers ask for (RFC 7208, section 4.6.4). */
const MOST_MX = 10;

/** The terms that make receivers ask. */
const ASKING: ReadonlySet<string> = new Set(['a', 'exists', 'include', 'mx', 'ptr', 'redirect']);

/**
 * Goes through an SPF record and all that it includes, in the order in which receivers do, within a bound.
 *
 * @param record of the name
 * @param name that it belongs to, as the DNS is asked for it
 */
export async function walkSpf(
	questions: Questions,
	record: SpfRecord,
	name: string,
): Promise<SpfWalk> {
	const walk: SpfWalk = {
		...{ lookups: 0, voids: [], flaw: null, loop: null, allowed: new Set(), isWhole: true },
	};
	await follow({ questions, walk }, record, [name]);
	return walk;
}

/** One way of writing a mechanism, to compare it with another. */
export function canonicalTerm(term: SpfTerm, name: string): string {
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
		if (walk.lookups >= MOST_LOOKUPS) return;
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
	if (found !== undefined && kind === 'mx' && found.length > MOST_MX) {
		walk.flaw ??= `${target} has more than ${MOST_MX} MX records`;
	}
	const isVoid =
		found?.length === 0 &&
		(kind !== 'a' || (await questions.records(target, 'AAAA'))?.length === 0);
	if (isVoid) walk.voids.push(target);
}

const of = (name: string, flaw: string, path: readonly string[]): string =>
	path.length === 1 ? flaw : `in ${name}, which it includes, ${flaw}`;
