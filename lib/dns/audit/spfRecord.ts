import { parseUrl } from '../../basics';
import { toDomainName } from '../domainNames';

/** A mechanism or modifier of an SPF record (RFC 7208, section 4.6.1). */
export interface SpfTerm {
	/** `include`, `ip4`, `redirect` and so on, in lower case. */
	kind: string;
	/** `+`, `-`, `~` or `?`; `''` for modifiers, such as `redirect=`. */
	qualifier: string;
	/** Its domain or address; `''` for none. */
	name: string;
	/** The prefix length with its slash; `''` for none. */
	prefix: string;
	written: string;
}

export interface SpfRecord {
	/** In the order of evaluation: up to `all`, then `redirect`. */
	terms: readonly SpfTerm[];
	/** `all` or `redirect`, which decides about senders that nothing else matches; undefined without one. */
	lastTerm: SpfTerm | undefined;
	/** Why it is not valid, as a clause after "because"; null if it is valid. */
	flaw: string | null;
}

interface MechanismSyntax {
	/** Whether this may stand after the colon; `''` for nothing. */
	isName(name: string): boolean;
	prefix: RegExp;
}

const NO_PREFIX = /^$/;
const IP4_PREFIX = /^(?:\/(?:3[0-2]|[12]?\d))?$/;
const IP6_PREFIX = /^(?:\/(?:12[0-8]|1[01]\d|\d?\d))?$/;
/** `/24//64`: for IPv4 and for IPv6. */
const DUAL_PREFIX = /^(?:\/(?:3[0-2]|[12]?\d))?(?:\/\/(?:12[0-8]|1[01]\d|\d?\d))?$/;

/** RFC 7208, section 5. */
const MECHANISMS: ReadonlyMap<string, MechanismSyntax> = new Map([
	['all', { isName: isNothing, prefix: NO_PREFIX }],
	['include', { isName: isDomain, prefix: NO_PREFIX }],
	['a', { isName: isDomainOrNothing, prefix: DUAL_PREFIX }],
	['mx', { isName: isDomainOrNothing, prefix: DUAL_PREFIX }],
	['ptr', { isName: isDomainOrNothing, prefix: NO_PREFIX }],
	['ip4', { isName: isIp4, prefix: IP4_PREFIX }],
	['ip6', { isName: isIp6, prefix: IP6_PREFIX }],
	['exists', { isName: isDomain, prefix: NO_PREFIX }],
]);

/** Other modifiers are ignored (RFC 7208, section 6). */
const REDIRECT = 'redirect';

const MODIFIER = /^([a-z][\w.-]*)=(.*)$/is;

const MECHANISM = /^([+~?-]?)([^:/]*)(?::([^/]*))?(.*)$/s;

export const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text);

/** @param text of an SPF record: see {@link isSpf} */
export function readSpf(text: string): SpfRecord {
	const [, ...tokens] = text.split(' ').filter(Boolean);
	const terms = tokens.map(readTerm);
	const [flaw = null] = terms.map(flawOfTerm).filter((one) => one !== null);
	const mechanisms = terms.filter(({ kind }) => MECHANISMS.has(kind));
	const all = mechanisms.findIndex(({ kind }) => kind === 'all');
	if (all !== -1) return { terms: mechanisms.slice(0, all + 1), lastTerm: mechanisms[all], flaw };
	const redirect = terms.find(({ kind }) => kind === REDIRECT);
	if (redirect === undefined) return { terms: mechanisms, lastTerm: undefined, flaw };
	return { terms: [...mechanisms, redirect], lastTerm: redirect, flaw };
}

function readTerm(written: string): SpfTerm {
	return readModifier(written) ?? readMechanism(written);
}

/** @returns undefined if it is a mechanism */
function readModifier(written: string): SpfTerm | undefined {
	const [, kind, value = ''] = MODIFIER.exec(written) ?? [];
	if (kind === undefined) return undefined;
	const name = toDomainName(value) ?? value;
	return { kind: kind.toLowerCase(), qualifier: '', name, prefix: '', written };
}

function readMechanism(written: string): SpfTerm {
	const [, sign, kind = '', named, prefix = ''] = MECHANISM.exec(written) ?? [];
	const qualifier = sign || '+';
	return { kind: kind.toLowerCase(), qualifier, name: readTermName(named), prefix, written };
}

/** A name after a colon must not be empty, so an empty one becomes a space, which is not a valid name. */
function readTermName(named: string | undefined): string {
	if (named === undefined) return '';
	return toDomainName(named) ?? (named.toLowerCase() || ' ');
}

/** Why receivers reject a term (RFC 7208, sections 4.6.1 and 5); null if valid. */
function flawOfTerm({ kind, qualifier, name, prefix, written }: SpfTerm): string | null {
	const shown = `"${written}"`;
	const syntax = MECHANISMS.get(kind);
	const isModifier = qualifier === '';
	if (isModifier) {
		if (syntax !== undefined) return `${shown} needs a colon instead of =`;
		if (kind === REDIRECT && !isDomain(name)) return `${shown} does not name a domain`;
		return null;
	}
	if (syntax === undefined) return `receivers do not know ${shown}`;
	const isValid = syntax.isName(name) && syntax.prefix.test(prefix);
	if (!isValid) return `${shown} is not valid SPF`;
	return null;
}

function isNothing(name: string): boolean {
	return name === '';
}

/** The last label must not be a number (RFC 7208, section 7.1). */
function isDomain(name: string): boolean {
	if (hasMacro(name)) return true;
	return toDomainName(name) !== undefined && /\.(?!\d+$)[^.]+$/.test(name);
}

function isDomainOrNothing(name: string): boolean {
	return isNothing(name) || isDomain(name);
}

function isIp4(name: string): boolean {
	return /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(name);
}

function isIp6(name: string): boolean {
	return /^[\da-f:.]+$/.test(name) && parseUrl(`http://[${name}]`) !== undefined;
}

/** Macros depend on the email, so they cannot be checked (RFC 7208, section 7). */
export function hasMacro(name: string): boolean {
	return name.includes('%');
}

/** Whether a term allows senders. */
export function isPass({ qualifier }: SpfTerm): boolean {
	return qualifier === '+' || qualifier === '';
}

/** The same for two terms that allow the same senders. @param own the domain of the record */
export function canonicalTerm({ kind, name, prefix }: SpfTerm, own: string): string {
	const effect = kind === REDIRECT ? 'include' : kind;
	return `${effect}:${name || own}${prefix}`;
}

/** Merges SPF records, because a domain may have only one, and adds the required mechanisms. */
export function mergeSpf(records: readonly string[], required: string | undefined): string {
	const read = records.map(readSpf);
	const wanted = required === undefined ? [] : readSpf(required).terms;
	const terms = [...wanted, ...read.flatMap((record) => record.terms)];
	const mechanisms = terms.filter(({ kind }) => kind !== 'all' && kind !== REDIRECT);
	const written = mechanisms.map((term) => term.written);
	const end = commonEnd(read)?.written ?? '~all';
	return ['v=spf1', ...new Set([...written, end])].join(' ');
}

/** Several redirects cannot be merged. */
function commonEnd(records: readonly SpfRecord[]): SpfTerm | undefined {
	const ends = records.map(({ lastTerm }) => lastTerm);
	if (ends.length === 1) return ends[0];
	return ends.find((end) => end?.kind === 'all');
}
