import type { RecordedQuestions } from '../resolver/recordedQuestions';
import { different, missing, type RequiredRecord } from './requiredRecords';
import { problem, toText, type DnsProblem, type RecordDetail } from './problems';
import {
	canonicalTerm,
	hasMacro,
	isPass,
	isSpf,
	mergeSpf,
	readSpf,
	type SpfRecord,
} from './spfRecord';

export function isForSpf({ type, value }: RequiredRecord): boolean {
	return type === 'TXT' && isSpf(value);
}

/** What looks like an SPF record, also if it is invalid, such as one pasted with its quotes. */
const NEARLY = /^[\s"'“”‘’]*v\s?=\s?"?spf/i;

/** Mechanisms and modifiers that cause a lookup. */
const ASKING: ReadonlySet<string> = new Set(['a', 'exists', 'include', 'mx', 'ptr', 'redirect']);

/** Allowed lookups, and lookups without records (RFC 7208, section 4.6.4). */
const ALLOWED_LOOKUPS = 10;
const ALLOWED_VOIDS = 2;

/** Enough to see that there are too many. Others choose what their records include: a record can include ten, and each of them ten again. */
const MAX_LOOKUPS = 30;

/**
 * Checks the SPF record of a name (RFC 7208).
 *
 * @param required the record that the service requires there
 * @param domain the domain that the name is in
 */
export async function checkSpf(
	questions: RecordedQuestions,
	name: string,
	required: RequiredRecord | undefined,
	domain: string,
): Promise<DnsProblem[]> {
	const texts = await questions.records(name, 'TXT');
	// The DNS did not answer.
	if (texts === undefined) return [];
	const records = texts.filter(isSpf);
	const nearly = texts.filter((one) => NEARLY.test(one));
	const found = toText(records.length > 0 ? records : nearly);
	const merged = mergeSpf(records, required?.value);
	const [text, another] = records;
	const detail: RecordDetail = { type: 'TXT', name, expected: required?.expected ?? null, found };

	if (another !== undefined) return [problem('spfDoubled', { ...detail, expected: merged })];
	if (text === undefined) {
		if (nearly.length > 0) return [problem('spfInvalid', detail, 'it does not begin with v=spf1')];
		if (required === undefined) return [problem('spfMissing', detail)];
		return [await missing(questions, required, domain)];
	}
	const record = readSpf(text);
	const walk = new SpfWalk(questions);
	await walk.follow(record, [name]);
	const problems = problemsOf(record, walk, detail);
	if (required !== undefined && !walk.allows(required))
		problems.push(different({ ...required, expected: merged }, found));
	return problems;
}

function problemsOf(
	{ lastTerm }: SpfRecord,
	{ flaw, loop, lookups, voids }: SpfWalk,
	detail: RecordDetail,
): DnsProblem[] {
	const problems: DnsProblem[] = [];
	if (flaw !== null) problems.push(problem('spfInvalid', detail, flaw));
	if (loop !== null) problems.push(problem('spfLoop', detail, loop));
	if (lookups > ALLOWED_LOOKUPS) {
		const count = lookups < MAX_LOOKUPS ? `${lookups}` : `at least ${lookups}`;
		problems.push(problem('spfTooManyLookups', detail, count));
	}
	if (voids.length > ALLOWED_VOIDS) {
		const names = [...new Set(voids)].join(', ');
		problems.push(problem('spfVoidLookups', detail, names));
	}
	if (lastTerm === undefined) problems.push(problem('spfWithoutEnd', detail));
	const isOpen = lastTerm?.kind === 'all' && lastTerm.qualifier === '+';
	if (isOpen) problems.push(problem('spfAllowsEverybody', detail));
	return problems;
}

/** Follows an SPF record and its includes, as receivers do for a sender that nothing matches. */
class SpfWalk {
	lookups = 0;

	/** Names without records. */
	readonly voids: string[] = [];

	/** Why the record is not valid, as a clause after "because"; null if it is valid. */
	flaw: string | null = null;

	/** The first name that includes itself; null without one. */
	loop: string | null = null;

	/** Allowed senders of all records: see `canonicalTerm`. */
	private readonly allowed = new Set<string>();

	/** False if the DNS did not answer. */
	private isWhole = true;

	constructor(private readonly questions: RecordedQuestions) {}

	/** @param path the names of the including records, then its own */
	async follow(record: SpfRecord, path: readonly string[]): Promise<void> {
		const name = path.at(-1) ?? '';
		if (record.flaw !== null) {
			const isIncluded = path.length > 1;
			const place = isIncluded ? `in ${name}, to which it refers, ` : '';
			this.flaw ??= `${place}${record.flaw}`;
			return;
		}
		for (const term of record.terms) {
			if (this.lookups >= MAX_LOOKUPS) return;
			if (isPass(term)) this.allowed.add(canonicalTerm(term, name));
			if (!ASKING.has(term.kind)) continue;
			this.lookups++;
			// What these ask for depends on the sender.
			if (hasMacro(term.name) || term.kind === 'ptr') continue;
			const target = term.name || name;
			if (term.kind === 'include' || term.kind === 'redirect') await this.enter(target, path);
			else await this.resolve(term.kind, target);
		}
	}

	/** Whether all senders of the required record are allowed; also true if not everything was read. */
	allows({ name, value }: RequiredRecord): boolean {
		const isKnown = this.isWhole && this.flaw === null && this.lookups < MAX_LOOKUPS;
		if (!isKnown) return true;
		const wanted = readSpf(value).terms.filter((term) => term.kind !== 'all' && isPass(term));
		return wanted.every((term) => this.allowed.has(canonicalTerm(term, name)));
	}

	/** Follows an include or a redirect. */
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
		const [text, another] = texts.filter(isSpf);
		if (text === undefined) {
			this.flaw ??= `it refers to ${target}, which has no SPF record`;
		} else if (another !== undefined) {
			this.flaw ??= `it refers to ${target}, which has two SPF records`;
		} else {
			await this.follow(readSpf(text), [...path, target]);
		}
	}

	/** Checks that the names of `a`, `mx` and `exists` have records. */
	private async resolve(kind: string, target: string): Promise<void> {
		const found = await this.questions.records(target, kind === 'mx' ? 'MX' : 'A');
		if (found === undefined || found.length > 0) return;
		if (kind === 'a') {
			const ofIp6 = await this.questions.records(target, 'AAAA');
			if (ofIp6 === undefined || ofIp6.length > 0) return;
		}
		this.voids.push(target);
	}
}
