import { toDomainName } from '../domainName';
import { isAddress4, isAddress6, isPrefix } from './spfAddresses';

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
	/** Whether the length of a network's prefix may follow. */
	hasPrefix: boolean;
}

const MECHANISMS: Readonly<Record<string, Syntax>> = {
	all: { target: 'none', hasPrefix: false },
	include: { target: 'domain', hasPrefix: false },
	a: { target: 'optionalDomain', hasPrefix: true },
	mx: { target: 'optionalDomain', hasPrefix: true },
	ptr: { target: 'optionalDomain', hasPrefix: false },
	ip4: { target: 'address4', hasPrefix: true },
	ip6: { target: 'address6', hasPrefix: true },
	exists: { target: 'domain', hasPrefix: false },
};

/** A record begins like this, and then ends or goes on with a blank (RFC 7208, section 4.5). */
const VERSION = 'v=spf1';

/** What was meant to be an SPF record, such as one that was pasted with its quotes. */
const NEARLY = /^[\s"'“”‘’]*v\s?=\s?"?spf/i;

/** A macro: what it becomes hangs on the email (RFC 7208, section 7). */
const MACRO = /%(?:\{[a-z]\d{0,3}r?[.\-+,/_=]{0,7}\}|[%_-])/gi;

const MODIFIER_NAME = /^[a-z][\w.-]*$/i;

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
		if (modifier === undefined) {
			const mechanism = readMechanism(written);
			flaw ??= flawOf(mechanism);
			mechanisms.push(mechanism);
			continue;
		}
		const { kind, target } = modifier;
		if (modifiers.has(kind) && (kind === 'redirect' || kind === 'exp'))
			flaw ??= `${kind} is there twice`;
		if (kind === 'redirect' && !isDomain(target)) flaw ??= `"${shown(written)}" names no domain`;
		modifiers.set(kind, modifier);
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

function flawOf({ kind, target, written }: SpfTerm): string | null {
	const syntax = Object.hasOwn(MECHANISMS, kind) ? MECHANISMS[kind] : undefined;
	if (syntax === undefined) return `receivers do not know "${shown(written)}"`;
	const [name, prefixes] = syntax.hasPrefix ? withoutPrefix(target, kind) : [target, ''];
	const colon = written.includes(':');
	const isGood: Record<Syntax['target'], () => boolean> = {
		none: () => !colon && name === '',
		domain: () => isDomain(name),
		optionalDomain: () => (colon ? isDomain(name) : name === ''),
		address4: () => isAddress4(name),
		address6: () => isAddress6(name),
	};
	return isGood[syntax.target]() && isPrefix(prefixes, kind)
		? null
		: `"${shown(written)}" is not written as receivers expect it`;
}

/** `example.com` and `/24` of `example.com/24`; in macros, a slash separates nothing. */
function withoutPrefix(target: string, kind: string): [string, string] {
	const from = kind === 'ip6' ? target.lastIndexOf('/') : target.search(/\/\/?\d/);
	return from === -1 ? [target, ''] : [target.slice(0, from), target.slice(from)];
}

function isDomain(target: string): boolean {
	if (hasMacro(target)) return !target.replace(MACRO, '').includes('%');
	return target.includes('.') && toDomainName(target) !== undefined;
}

/** The name that a term is about, for one that may leave it out. */
export function nameIn(term: SpfTerm, name: string): string {
	const [written] = partsOf(term);
	return written === '' ? name : (toDomainName(written) ?? written);
}

/** The length of the network's prefix that a term names, with its slash; empty where it names none. */
export const prefixIn = (term: SpfTerm): string => partsOf(term)[1];

const partsOf = ({ kind, target }: SpfTerm): [string, string] =>
	MECHANISMS[kind]?.hasPrefix === true ? withoutPrefix(target, kind) : [target, ''];

const shown = (written: string): string => written.slice(0, 80);
