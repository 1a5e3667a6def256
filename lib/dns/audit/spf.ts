import { parseUrl } from '../../basics';
import { toDomainName } from '../organizations';
import type { Questions } from '../resolver/httpsResolver';
import { different, missing, type RequiredRecord } from './requiredRecords';
import { problem, toText, type DnsProblem, type RecordDetail } from './problems';

const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text);

export const isForSpf = ({ type, value }: RequiredRecord): boolean =>
	type === 'TXT' && isSpf(value);

/** Invalid SPF records, such as one pasted with its quotes. */
const NEARLY = /^[\s"'“”‘’]*v\s?=\s?"?spf/i;

const ASKING: ReadonlySet<string> = new Set(['a', 'exists', 'include', 'mx', 'ptr', 'redirect']);

/** Allowed lookups, and lookups without records (RFC 7208, section 4.6.4). */
const ALLOWED_LOOKUPS = 10;
const ALLOWED_VOIDS = 2;

/** Enough to see that there are too many; ends on records that include others without end. */
const MAX_LOOKUPS = 30;

export async function checkSpf(
	questions: Questions,
	name: string,
	required: RequiredRecord | undefined,
	domain: string,
): Promise<DnsProblem[]> {
	const texts = await questions.records(name, 'TXT');
	if (texts === undefined) return [];
	const records = texts.filter(isSpf);
	const nearly = texts.filter((one) => NEARLY.test(one));
	const found = toText(records.length > 0 ? records : nearly);
	const merged = mergeSpf(records, required?.value);
	const expected = records.length > 1 ? merged : (required?.expected ?? null);
	const detail: RecordDetail = { type: 'TXT', name, expected, found };

	const [text, ...others] = records;
	if (others.length > 0) return [problem('spfDoubled', detail)];
	if (text === undefined) {
		if (nearly.length > 0) return [problem('spfInvalid', detail, 'it does not begin with v=spf1')];
		return [required ? await missing(questions, required, domain) : problem('spfMissing', detail)];
	}
	const record = readSpf(text);
	const walk = new SpfWalk(questions);
	await walk.follow(record, [name]);
	const { flaw, loop, lookups, voids } = walk;
	const count = lookups < MAX_LOOKUPS ? `${lookups}` : `at least ${lookups}`;
	const missed = [...new Set(voids)].join(', ');
	const isOpen = record.end?.kind === 'all' && record.end.qualifier === '+';
	return [
		...(flaw === null ? [] : [problem('spfInvalid', detail, flaw)]),
		...(loop === null ? [] : [problem('spfLoop', detail, loop)]),
		...(lookups > ALLOWED_LOOKUPS ? [problem('spfTooManyLookups', detail, count)] : []),
		...(voids.length > ALLOWED_VOIDS ? [problem('spfVoidLookups', detail, missed)] : []),
		...(record.end === undefined ? [problem('spfWithoutEnd', detail)] : []),
		...(isOpen ? [problem('spfAllowsEverybody', detail)] : []),
		...(required !== undefined && !walk.allows(required)
			? [different({ ...required, expected: merged }, found)]
			: []),
	];
}

/** Follows an SPF record and its includes, as receivers do for a sender that nothing matches. */
class SpfWalk {
	lookups = 0;

	readonly voids: string[] = [];

	/** The first reason for receivers to give up, in a few words. */
	flaw: string | null = null;

	loop: string | null = null;

	/** Allowed senders of all records: normalized mechanisms. */
	private readonly allowed = new Set<string>();

	private isWhole = true;

	constructor(private readonly questions: Questions) {}

	/** @param path the names of the including records, then its own */
	async follow(record: SpfRecord, path: readonly string[]): Promise<void> {
		const name = path.at(-1) ?? '';
		if (record.flaw !== null) {
			this.flaw ??=
				path.length === 1 ? record.flaw : `in ${name}, which it includes, ${record.flaw}`;
			return;
		}
		for (const term of record.terms) {
			if (this.lookups >= MAX_LOOKUPS) return;
			if ('+'.includes(term.qualifier)) this.allowed.add(canonicalTerm(term, name));
			if (!ASKING.has(term.kind)) continue;
			this.lookups++;
			if (hasMacro(term.name) || term.kind === 'ptr') continue;
			const target = term.name || name;
			if (term.kind === 'include' || term.kind === 'redirect') await this.enter(target, path);
			else await this.resolve(term.kind, target);
		}
	}

	/** Whether all senders of the required record are allowed; also true if not everything was read. */
	allows({ name, value }: RequiredRecord): boolean {
		if (!this.isWhole || this.flaw !== null || this.lookups >= MAX_LOOKUPS) return true;
		return readSpf(value)
			.terms.filter(({ kind, qualifier }) => kind !== 'all' && '+'.includes(qualifier))
			.every((term) => this.allowed.has(canonicalTerm(term, name)));
	}

	private async enter(target: string, path: readonly string[]): Promise<void> {
		if (path.includes(target)) {
			this.loop ??= target;
			return;
		}
		const texts = await this.questions.records(target, 'TXT');
		const [text, another] = (texts ?? []).filter(isSpf);
		if (texts === undefined) this.isWhole = false;
		else if (text === undefined) this.flaw ??= `it includes ${target}, which has no SPF record`;
		else if (another) this.flaw ??= `it includes ${target}, which has two SPF records`;
		else await this.follow(readSpf(text), [...path, target]);
		if (texts?.length === 0) this.voids.push(target);
	}

	/** Checks that the names of `a`, `mx` and `exists` have records. */
	private async resolve(kind: string, target: string): Promise<void> {
		const found = await this.questions.records(target, kind === 'mx' ? 'MX' : 'A');
		const isVoid =
			found?.length === 0 &&
			(kind !== 'a' || (await this.questions.records(target, 'AAAA'))?.length === 0);
		if (isVoid) this.voids.push(target);
	}
}

interface SpfTerm {
	kind: string;
	/** `''` for modifiers. */
	qualifier: string;
	/** Its domain or address; `''` for none. */
	name: string;
	/** The prefix length with its slash; `''` for none. */
	prefix: string;
	written: string;
}

interface SpfRecord {
	/** In the order of evaluation: up to `all`, then `redirect`. */
	terms: readonly SpfTerm[];
	/** Decides about senders that nothing else matches: `all` or `redirect`. */
	end: SpfTerm | undefined;
	/** Why receivers reject it, in a few words; null if valid. */
	flaw: string | null;
}

/** The allowed name and prefix length of each mechanism (RFC 7208, section 5). */
const MECHANISMS: ReadonlyMap<string, [name: 'domain' | 'optional' | RegExp, prefix: RegExp]> =
	new Map([
		['all', [/^$/, /^$/]],
		['include', ['domain', /^$/]],
		['a', ['optional', /^(?:\/(?:3[0-2]|[12]?\d))?(?:\/\/(?:12[0-8]|1[01]\d|\d?\d))?$/]],
		['mx', ['optional', /^(?:\/(?:3[0-2]|[12]?\d))?(?:\/\/(?:12[0-8]|1[01]\d|\d?\d))?$/]],
		['ptr', ['optional', /^$/]],
		['ip4', [/^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/, /^(?:\/(?:3[0-2]|[12]?\d))?$/]],
		['ip6', [/^[\da-f:.]+$/, /^(?:\/(?:12[0-8]|1[01]\d|\d?\d))?$/]],
		['exists', ['domain', /^$/]],
	]);

const TERM = /^(?:([a-z][\w.-]*)=(.*)|([+~?-]?)([^:/]*)(?::([^/]*))?(.*))$/is;

/** RFC 7208, section 4.6. */
function readSpf(text: string): SpfRecord {
	const terms = text.split(' ').filter(Boolean).slice(1).map(readTerm);
	const flaw = terms.map(flawOf).find((one) => one !== null) ?? null;
	const mechanisms = terms.filter(({ kind }) => MECHANISMS.has(kind));
	const all = mechanisms.findIndex(({ kind }) => kind === 'all');
	if (all !== -1) return { terms: mechanisms.slice(0, all + 1), end: mechanisms[all], flaw };
	const redirects = terms.filter(({ kind }) => kind === 'redirect').slice(0, 1);
	return { terms: [...mechanisms, ...redirects], end: redirects[0], flaw };
}

function readTerm(written: string): SpfTerm {
	const [, modifier, value = '', sign, mechanism = '', named, prefix = ''] =
		TERM.exec(written) ?? [];
	if (modifier !== undefined) {
		const name = toDomainName(value) ?? value;
		return { kind: modifier.toLowerCase(), qualifier: '', name, prefix: '', written };
	}
	// A name after a colon must not be empty: a space is not a valid name.
	const name = named === undefined ? '' : (toDomainName(named) ?? (named.toLowerCase() || ' '));
	return { kind: mechanism.toLowerCase(), qualifier: sign || '+', name, prefix, written };
}

function flawOf({ kind, qualifier, name, prefix, written }: SpfTerm): string | null {
	const shown = `"${written}"`;
	const syntax = MECHANISMS.get(kind);
	if (qualifier === '') {
		if (syntax !== undefined) return `${shown} needs a colon instead of =`;
		// Receivers ignore unknown modifiers.
		return kind !== 'redirect' || isDomain(name) ? null : `${shown} does not name a domain`;
	}
	if (syntax === undefined) return `receivers do not know ${shown}`;
	const [names, prefixes] = syntax;
	const isName =
		typeof names === 'string'
			? isDomain(name) || (names === 'optional' && name === '')
			: names.test(name) && (kind !== 'ip6' || parseUrl(`http://[${name}]`) !== undefined);
	return isName && prefixes.test(prefix) ? null : `${shown} is not valid SPF`;
}

/** Macros depend on the email, so they cannot be checked (RFC 7208, section 7). */
const hasMacro = (name: string): boolean => name.includes('%');

/** The last label must not be a number (RFC 7208, section 7.1). */
const isDomain = (name: string): boolean =>
	hasMacro(name) || (toDomainName(name) !== undefined && /\.(?!\d+$)[^.]+$/.test(name));

function canonicalTerm({ kind, name, prefix }: SpfTerm, own: string): string {
	return `${kind === 'redirect' ? 'include' : kind}:${name || own}${prefix}`;
}

/** Merges SPF records, because a domain may have only one, and adds the required mechanisms. */
function mergeSpf(records: readonly string[], required: string | undefined): string {
	const read = records.map(readSpf);
	const wanted = required === undefined ? [] : readSpf(required).terms;
	const terms = [...wanted, ...read.flatMap((record) => record.terms)];
	const words = terms.filter(({ kind }) => kind !== 'all' && kind !== 'redirect');
	const ends = read.map(({ end }) => end);
	const end = ends.length === 1 ? ends[0] : ends.find((term) => term?.kind === 'all');
	const written = [...words, end].map((term) => term?.written ?? '~all');
	return ['v=spf1', ...new Set(written)].join(' ');
}
