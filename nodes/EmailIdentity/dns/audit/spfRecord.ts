import { toDomainName } from '../names';

/** One mechanism, or the modifier `redirect`, of an SPF record. */
export interface SpfTerm {
	kind: string;
	qualifier: string;
	/** The domain or the address that it names; empty where it names none. */
	target: string;
	/** As it stands in the record. */
	written: string;
}

export interface SpfRecord {
	/** What is evaluated, in this order: up to `all`, then `redirect`. */
	terms: readonly SpfTerm[];
	/** What decides of those whom nothing else matches: `all` or `redirect`. */
	end: SpfTerm | undefined;
	/** Why receivers do not take it, in a few words; null where they do. */
	flaw: string | null;
}

/** What a mechanism may name (RFC 7208, section 5). */
interface Syntax {
	target: 'address4' | 'address6' | 'domain' | 'none' | 'optionalDomain';
	/** The prefixes of networks that may follow: how long each may be. */
	prefixes: readonly number[];
}

const MECHANISMS: ReadonlyMap<string, Syntax> = new Map<string, Syntax>([
	['all', { target: 'none', prefixes: [] }],
	['include', { target: 'domain', prefixes: [] }],
	['a', { target: 'optionalDomain', prefixes: [32, 128] }],
	['mx', { target: 'optionalDomain', prefixes: [32, 128] }],
	['ptr', { target: 'optionalDomain', prefixes: [] }],
	['ip4', { target: 'address4', prefixes: [32] }],
	['ip6', { target: 'address6', prefixes: [128] }],
	['exists', { target: 'domain', prefixes: [] }],
]);

/** A record begins like this, and then ends or goes on with a blank (RFC 7208, section 4.5). */
const VERSION = 'v=spf1';

/** What was meant to be an SPF record, such as one that was pasted with its quotes. */
const NEARLY = /^[\s"'“”‘’]*v\s?=\s?"?spf/i;

/** A macro: what it becomes depends on the email (RFC 7208, section 7). */
const MACRO = /%(?:\{[slodiphv](?:[1-9]\d{0,2})?r?[.\-+,/_=]*\}|[%_-])/gi;

const MODIFIER_NAME = /^[a-z][\w.-]*$/i;

const ADDRESS_4 = /^(?:\d{1,3}\.){3}\d{1,3}$/;

/** Whether a TXT record is an SPF record for receivers. */
export function isSpf(text: string): boolean {
	const start = text.slice(0, VERSION.length + 1).toLowerCase();
	return start === VERSION || start === `${VERSION} `;
}

/** Whether a TXT record was meant to be one, and is none. */
export const isNearlySpf = (text: string): boolean => !isSpf(text) && NEARLY.test(text);

/** Whether what it names can be known only with an email at hand. */
export const hasMacro = (target: string): boolean => target.includes('%');

/**
 * Reads an SPF record (RFC 7208, section 4.6).
 *
 * @param text that is one: see {@link isSpf}
 */
export function readSpf(text: string): SpfRecord {
	const mechanisms: SpfTerm[] = [];
	const modifiers = new Map<string, SpfTerm>();
	let flaw: string | null = null;
	for (const written of text.slice(VERSION.length).split(' ').filter(Boolean)) {
		const modifier = readModifier(written);
		const term = modifier ?? readMechanism(written);
		flaw ??= modifier === undefined ? flawOf(term) : flawOfModifier(term, modifiers);
		if (modifier === undefined) mechanisms.push(term);
		else modifiers.set(term.kind, term);
	}
	const all = mechanisms.findIndex(({ kind }) => kind === 'all');
	if (all !== -1) return { terms: mechanisms.slice(0, all + 1), end: mechanisms[all], flaw };
	const redirect = modifiers.get('redirect');
	return { terms: redirect ? [...mechanisms, redirect] : mechanisms, end: redirect, flaw };
}

/** `name=value`, where a mechanism has a colon or a slash first. */
function readModifier(written: string): SpfTerm | undefined {
	const equals = written.indexOf('=');
	const name = written.slice(0, Math.max(0, equals));
	if (!MODIFIER_NAME.test(name)) return undefined;
	const target = written.slice(equals + 1).toLowerCase();
	return { kind: name.toLowerCase(), qualifier: '+', target, written };
}

function readMechanism(written: string): SpfTerm {
	const hasQualifier = '+-~?'.includes(written.charAt(0));
	const directive = (hasQualifier ? written.slice(1) : written).toLowerCase();
	const end = directive.search(/[:/]/);
	const kind = end === -1 ? directive : directive.slice(0, end);
	const target = end === -1 ? '' : directive.slice(directive[end] === ':' ? end + 1 : end);
	return { kind, qualifier: hasQualifier ? written.charAt(0) : '+', target, written };
}

function flawOfModifier(
	{ kind, target, written }: SpfTerm,
	before: ReadonlyMap<string, SpfTerm>,
): string | null {
	if (MECHANISMS.has(kind)) return `"${shown(written)}" needs a colon in place of its =`;
	if (kind !== 'redirect' && kind !== 'exp') {
		return hasBrokenMacro(target) ? malformed(written) : null;
	}
	if (before.has(kind)) return `${kind} is there twice`;
	return isDomain(target) ? null : `"${shown(written)}" names no domain`;
}

function flawOf(term: SpfTerm): string | null {
	const { kind, written } = term;
	const syntax = MECHANISMS.get(kind);
	if (syntax === undefined) return `receivers do not know "${shown(written)}"`;
	const [name, prefixes] = partsOf(term);
	const colon = written.includes(':');
	const isGood: Record<Syntax['target'], () => boolean> = {
		none: () => !colon && name === '',
		domain: () => isDomain(name),
		optionalDomain: () => (colon ? isDomain(name) : name === ''),
		address4: () => isAddress4(name),
		address6: () => isAddress6(name),
	};
	return isGood[syntax.target]() && isPrefix(prefixes, syntax) ? null : malformed(written);
}

const malformed = (written: string): string =>
	`"${shown(written)}" is not written as receivers expect it`;

const hasBrokenMacro = (text: string): boolean => text.replace(MACRO, '').includes('%');

/**
 * Whether receivers take it for a domain (RFC 7208, section 7.1): it ends with a macro, or with a label that is no number.
 * What stands before may be nearly anything.
 */
function isDomain(target: string): boolean {
	if (target === '' || hasBrokenMacro(target)) return false;
	if (hasMacro(target) && target.replace(MACRO, '%').endsWith('%')) return true;
	const labels = target.replace(/\.$/, '').split('.');
	if (labels.length === 1) return /[:/]/.test(target);
	const top = labels.at(-1) ?? '';
	return toDomainName(`a.${top}`) !== undefined && !/^\d+$/.test(top) && !labels.includes('');
}

function isAddress4(text: string): boolean {
	return ADDRESS_4.test(text) && text.split('.').every((part) => Number(part) <= 255);
}

/** RFC 4291, section 2.2: eight groups of up to four digits, `::` for some of them, an IPv4 address in place of the last two. */
function isAddress6(text: string): boolean {
	const last = text.slice(text.lastIndexOf(':') + 1);
	if (last.includes('.') && !isAddress4(last)) return false;
	const whole = last.includes('.') ? `${text.slice(0, -last.length)}0:0` : text;
	const halves = whole.split('::');
	const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
	if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return false;
	return halves.length === 2 ? groups.length <= 7 : halves.length === 1 && groups.length === 8;
}

/** Whether it is the length of a network's prefix: `/24`, for `a` and `mx` also `/24//64`. */
function isPrefix(written: string, { prefixes }: Syntax): boolean {
	const [, first, second] = /^(?:\/(\d{1,3}))?(?:\/\/(\d{1,3}))?$/.exec(written) ?? [];
	const lengths = [first, second].map((length) => Number(length ?? 0));
	return (
		(written === '' || first !== undefined || second !== undefined) &&
		lengths.every((length, index) => length <= (prefixes[index] ?? 0)) &&
		(second === undefined || prefixes.length === 2)
	);
}

/** The name that a term is about, for one that may leave it out. */
export function nameIn(term: SpfTerm, name: string): string {
	const [written] = partsOf(term);
	return written === '' ? name : (toDomainName(written) ?? written);
}

/** The length of the network's prefix that a term names, with its slash; empty where it names none. */
export const prefixIn = (term: SpfTerm): string => partsOf(term)[1];

/** `example.com` and `/24` of `example.com/24`; elsewhere than at the end, a slash separates nothing. */
function partsOf({ kind, target }: SpfTerm): [string, string] {
	const syntax = MECHANISMS.get(kind);
	if (syntax === undefined || syntax.prefixes.length === 0) return [target, ''];
	const isAddress = syntax.target === 'address4' || syntax.target === 'address6';
	const from = isAddress ? target.indexOf('/') : target.search(/(?:\/\d*)?(?:\/\/\d*)?$/);
	return from === -1 ? [target, ''] : [target.slice(0, from), target.slice(from)];
}

const shown = (written: string): string => written.slice(0, 80);
