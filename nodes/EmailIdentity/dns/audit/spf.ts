import type { Questions } from '../resolver/types';
import {
	different,
	missing,
	toText,
	type DnsProblem,
	type DnsProblemCode,
	type RequiredRecord,
} from './required';
import { canonicalTerm, hasMacro, isSpf, mergeSpf, readSpf, type SpfRecord } from './spfRecord';

/** Invalid SPF records, such as one pasted with its quotes. */
const NEARLY = /^[\s"'“”‘’]*v\s?=\s?"?spf/i;

/** Terms that cause DNS lookups. */
const ASKING: ReadonlySet<string> = new Set(['a', 'exists', 'include', 'mx', 'ptr', 'redirect']);

/** Whether a required record is an SPF record. */
export const isForSpf = ({ type, value }: RequiredRecord): boolean =>
	type === 'TXT' && isSpf(value);

/** Allowed lookups, and lookups without records (RFC 7208, section 4.6.4). */
const ALLOWED_LOOKUPS = 10;
const ALLOWED_VOIDS = 2;

/** Enough to see that there are too many; ends on records that include others without end. */
const MAX_LOOKUPS = 30;

/** The limit of receivers (RFC 7208, section 4.6.4). */
const MAX_MX = 10;

const MAX_VOIDS_SHOWN = 5;

/**
 * Checks the SPF record of a name.
 *
 * @param required the SPF record that the service requires
 * @param domain of the name
 */
export async function checkSpf(
	questions: Questions,
	name: string,
	required: RequiredRecord | undefined,
	domain: string,
): Promise<DnsProblem[]> {
	const texts = await questions.records(name, 'TXT');
	if (texts === undefined) return [];
	const records = texts.filter((one) => isSpf(one));
	const nearly = texts.filter((one) => NEARLY.test(one));
	const found = toText(records.length > 0 ? records : nearly);
	const merged = mergeSpf(records, required?.value);
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
	const walk = new SpfWalk(questions);
	await walk.follow(record, [name]);
	const { flaw, loop, lookups, voids } = walk;
	const count = lookups < MAX_LOOKUPS ? `${lookups}` : `at least ${lookups}`;
	const missed = [...new Set(voids)].slice(0, MAX_VOIDS_SHOWN).join(', ');
	const isOpen = record.end?.kind === 'all' && record.end.qualifier === '+';
	return [
		...(flaw === null ? [] : [problem('spfInvalid', flaw)]),
		...(loop === null ? [] : [problem('spfLoop', loop)]),
		...(lookups > ALLOWED_LOOKUPS ? [problem('spfTooManyLookups', count)] : []),
		...(voids.length > ALLOWED_VOIDS ? [problem('spfVoidLookups', missed)] : []),
		...(record.end === undefined ? [problem('spfWithoutEnd')] : []),
		...(isOpen ? [problem('spfAllowsEverybody')] : []),
		...(required !== undefined && !walk.allows(required)
			? [different({ ...required, expected: merged }, found)]
			: []),
	];
}

/** Follows an SPF record and its includes, as receivers do for a sender that nothing matches. */
class SpfWalk {
	/** Terms that cause DNS lookups. */
	lookups = 0;

	/** Looked up names without records. */
	readonly voids: string[] = [];

	/** The first reason for receivers to give up, in a few words. */
	flaw: string | null = null;

	/** A domain that includes itself. */
	loop: string | null = null;

	/** Allowed senders of all records: normalized mechanisms. */
	private readonly allowed = new Set<string>();

	/** Whether all lookups were answered. */
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
		if (texts === undefined) {
			this.isWhole = false;
			return;
		}
		if (texts.length === 0) this.voids.push(target);
		const [text, another] = texts.filter((one) => isSpf(one));
		if (text === undefined) this.flaw ??= `it includes ${target}, which has no SPF record`;
		else if (another !== undefined) {
			this.flaw ??= `it includes ${target}, which has two SPF records`;
		} else await this.follow(readSpf(text), [...path, target]);
	}

	/** Checks that the names of `a`, `mx` and `exists` have records. */
	private async resolve(kind: string, target: string): Promise<void> {
		const found = await this.questions.records(target, kind === 'mx' ? 'MX' : 'A');
		if (kind === 'mx' && (found?.length ?? 0) > MAX_MX) {
			this.flaw ??= `${target} has more than ${MAX_MX} MX records`;
		}
		const isVoid =
			found?.length === 0 &&
			(kind !== 'a' || (await this.questions.records(target, 'AAAA'))?.length === 0);
		if (isVoid) this.voids.push(target);
	}
}
