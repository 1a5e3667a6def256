import type { Questions } from '../questions';
import type { DnsRecordType } from '../resolver';
import { compareRecord, different, missing, standingRecords } from './recordComparison';
import type { DnsProblem } from './problems';
import type { RequiredRecord } from './requiredRecord';

/** As many steps as resolvers follow at most. */
const MOST_STEPS = 8;

/** What mail looks for behind an alias. */
const BEHIND: readonly DnsRecordType[] = ['TXT', 'MX', 'A'];

/**
 * Compares a required CNAME record with what stands in its place. It may lead to its target over others, and some providers
 * put in its place what stands at its target ("flattening").
 */
export async function compareAlias(
	questions: Questions,
	record: RequiredRecord,
	domain: string,
): Promise<DnsProblem[]> {
	const first = await targetOf(questions, record.name);
	if (first === undefined) return [];
	if (first === null) {
		if (await isFlattened(questions, record)) return [];
		return [await missing(questions, record, domain)];
	}
	let target: string | null | undefined = first;
	for (let step = 0; step < MOST_STEPS && typeof target === 'string'; step++) {
		if (target === record.value) return [];
		target = await targetOf(questions, target);
	}
	return target === undefined ? [] : [different(record, first)];
}

/** Compares a required record of any type with what stands in its place. */
export async function compareRequired(
	questions: Questions,
	record: RequiredRecord,
	domain: string,
): Promise<DnsProblem[]> {
	const compare = record.type === 'CNAME' ? compareAlias : compareRecord;
	return await compare(questions, record, domain);
}

/** Where an alias leads; null where there is none, undefined where nobody knows. */
async function targetOf(questions: Questions, name: string): Promise<string | null | undefined> {
	const aliases = await standingRecords(questions, name, 'CNAME');
	return aliases === undefined ? undefined : (aliases[0]?.compared ?? null);
}

/** Also where nobody knows: then nothing is said of it. */
async function isFlattened(
	questions: Questions,
	{ name, value }: RequiredRecord,
): Promise<boolean> {
	let isSomething = false;
	for (const type of BEHIND) {
		const here = await textsAt(questions, name, type);
		if (here === '') continue;
		const there = await textsAt(questions, value, type);
		if (here === undefined || there === undefined) return true;
		if (here !== there) return false;
		isSomething = true;
	}
	return isSomething;
}

async function textsAt(
	questions: Questions,
	name: string,
	type: DnsRecordType,
): Promise<string | undefined> {
	const records = await standingRecords(questions, name, type);
	return records
		?.map(({ compared }) => compared)
		.sort()
		.join('\n');
}
