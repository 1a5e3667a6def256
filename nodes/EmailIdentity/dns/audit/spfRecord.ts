import { parseUrl } from '../../lib/hosts';
import { toDomainName } from '../names';

/** One mechanism or modifier of an SPF record. */
export interface SpfTerm {
	kind: string;
	qualifier: string;
	/** Its domain or address; `''` for none. */
	name: string;
	/** The prefix length with its slash; `''` for none. */
	prefix: string;
	/** As in the record. */
	written: string;
}

export interface SpfRecord {
	/** In the order of evaluation: up to `all`, then `redirect`. */
	terms: readonly SpfTerm[];
	/** Decides about senders that nothing else matches: `all` or `redirect`. */
	end: SpfTerm | undefined;
	/** Why receivers reject it, in a few words; null if valid. */
	flaw: string | null;
}

/** The allowed name of a mechanism, and the maximum prefix lengths (RFC 7208, section 5). */
interface Syntax {
	isName(name: string): boolean;
	prefixes: readonly number[];
}

const isNothing = (name: string): boolean => name === '';
const isOptionalDomain = (name: string): boolean => name === '' || isDomain(name);

const MECHANISMS: ReadonlyMap<string, Syntax> = new Map<string, Syntax>([
	['all', { isName: isNothing, prefixes: [] }],
	['include', { isName: isDomain, prefixes: [] }],
	['a', { isName: isOptionalDomain, prefixes: [32, 128] }],
	['mx', { isName: isOptionalDomain, prefixes: [32, 128] }],
	['ptr', { isName: isOptionalDomain, prefixes: [] }],
	['ip4', { isName: isAddress4, prefixes: [32] }],
	['ip6', { isName: isAddress6, prefixes: [128] }],
	['exists', { isName: isDomain, prefixes: [] }],
]);

const VERSION = /^v=spf1(?: |$)/i;

/** Whether receivers treat a TXT record as an SPF record. */
export const isSpf = (text: string): boolean => VERSION.test(text);

const MECHANISM = /^([+~?-]?)([^:/]*)(?::([^/]*))?(.*)$/s;

const MODIFIER = /^([a-z][\w.-]*)=(.*)$/i;

const PREFIX = /^(?:\/(\d{1,3}))?(?:\/\/(\d{1,3}))?$/;

const ADDRESS_4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

const MAX_SHOWN = 80;

/** Reads an SPF record (RFC 7208, section 4.6). */
export function readSpf(text: string): SpfRecord {
	const terms = text.split(' ').filter(Boolean).slice(1).map(readTerm);
	const flaw = terms.map(flawOf).find((one) => one !== null) ?? null;
	const mechanisms = terms.filter(({ kind }) => MECHANISMS.has(kind));
	const all = mechanisms.findIndex(({ kind }) => kind === 'all');
	if (all !== -1) return { terms: mechanisms.slice(0, all + 1), end: mechanisms[all], flaw };
	const [redirect, another] = terms.filter(({ kind }) => kind === 'redirect');
	const doubled = another ? 'redirect appears twice' : null;
	const evaluated = redirect ? [...mechanisms, redirect] : mechanisms;
	return { terms: evaluated, end: redirect, flaw: flaw ?? doubled };
}

function readTerm(written: string): SpfTerm {
	const [, modifier, value = ''] = MODIFIER.exec(written) ?? [];
	const [, qualifier = '', mechanism = '', named, prefix = ''] = MECHANISM.exec(written) ?? [];
	if (modifier !== undefined) {
		const name = toDomainName(value) ?? value;
		return { kind: modifier.toLowerCase(), qualifier: '', name, prefix: '', written };
	}
	// A name after a colon must not be empty: a space is not a valid name.
	const name = named === undefined ? '' : (toDomainName(named) ?? (named.toLowerCase() || ' '));
	return { kind: mechanism.toLowerCase(), qualifier: qualifier || '+', name, prefix, written };
}

function flawOf({ kind, qualifier, name, prefix, written }: SpfTerm): string | null {
	const shown = `"${written.slice(0, MAX_SHOWN)}"`;
	const syntax = MECHANISMS.get(kind);
	if (qualifier === '') {
		if (syntax !== undefined) return `${shown} needs a colon instead of =`;
		// Receivers ignore unknown modifiers.
		return kind !== 'redirect' || isDomain(name) ? null : `${shown} does not name a domain`;
	}
	if (syntax === undefined) return `receivers do not know ${shown}`;
	const [, ...lengths] = PREFIX.exec(prefix) ?? ['', '', 'none'];
	const isGood =
		hasMacro(name) ||
		(syntax.isName(name) &&
			lengths.every(
				(length, index) =>
					length === undefined || length === '' || Number(length) <= (syntax.prefixes[index] ?? -1),
			));
	return isGood ? null : `${shown} is not valid SPF`;
}

/** Macros depend on the email, so they cannot be checked (RFC 7208, section 7). */
export function hasMacro(name: string): boolean {
	return name.includes('%');
}

/** The last label must not be a number (RFC 7208, section 7.1). */
function isDomain(name: string): boolean {
	return hasMacro(name) || (toDomainName(name) !== undefined && /\.(?!\d+$)[^.]+$/.test(name));
}

function isAddress4(name: string): boolean {
	return ADDRESS_4.test(name) && name.split('.').every((part) => Number(part) <= 255);
}

function isAddress6(name: string): boolean {
	return /^[\da-f:.]+$/.test(name) && parseUrl(`http://[${name}]`) !== undefined;
}

/** A normalized term, for comparison. */
export function canonicalTerm({ kind, name, prefix }: SpfTerm, own: string): string {
	const isWholeAddress =
		(kind === 'ip4' && prefix === '/32') || (kind === 'ip6' && prefix === '/128');
	const network = isWholeAddress ? '' : prefix;
	return `${kind === 'redirect' ? 'include' : kind}:${name || own}${network}`;
}

/** The end that most services recommend: other senders are suspicious. */
const USUAL_END = '~all';

/**
 * Merges several SPF records because a domain may have only one.
 *
 * @param required a record whose mechanisms are added
 */
export function mergeSpf(records: readonly string[], required: string | undefined): string {
	const read = records.map(readSpf);
	const wanted = required === undefined ? [] : readSpf(required).terms;
	const terms = [...wanted, ...read.flatMap((record) => record.terms)];
	const words = terms.filter(({ kind }) => kind !== 'all' && kind !== 'redirect');
	const redirect = read.length === 1 && read[0]?.end?.kind === 'redirect' ? read[0].end : undefined;
	const end = redirect ?? read.map((record) => record.end).find((term) => term?.kind === 'all');
	return [
		...['v=spf1', ...new Set(words.map(({ written }) => written))],
		end?.written ?? USUAL_END,
	].join(' ');
}
