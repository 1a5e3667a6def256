import { readDkimKey, type DkimKey } from '../dkimKey';
import type { RecordedQuestions } from '../resolver/recordedQuestions';
import { compareAlias, different, missing, type RequiredRecord } from './requiredRecords';
import { problem, toText, type DnsProblem, type DnsProblemCode } from './problems';

const CODES: Record<NonNullable<DkimKey['flaw']>, DnsProblemCode> = {
	malformed: 'dkimKeyMalformed',
	otherPurpose: 'dkimKeyMalformed',
	revoked: 'dkimKeyRevoked',
	tooShort: 'dkimKeyTooShort',
};

/** Checks that receivers find and accept the service's DKIM key, or the key that its alias points to. */
export async function checkDkim(
	questions: RecordedQuestions,
	record: RequiredRecord,
	domain: string,
): Promise<DnsProblem[]> {
	const { type, name, expected, value } = record;
	if (type === 'CNAME') {
		const problems = await compareAlias(questions, record, domain);
		if (problems.length > 0) return problems;
	}
	const texts = await questions.records(name, 'TXT');
	if (texts === undefined) return [];
	const found = toText(texts);
	const detail = { type, name, expected, found: found ?? value };
	const [text, another] = texts;
	if (text === undefined) {
		if (type === 'TXT') return [await missing(questions, record, domain)];
		return [problem('dkimKeyMissing', detail)];
	}
	if (another !== undefined) {
		const reason = 'there are several records, but only one is allowed';
		return [problem('dkimKeyMalformed', detail, reason)];
	}
	const key = readDkimKey(text);
	if (key.flaw !== undefined) return [problem(CODES[key.flaw], detail, key.reason)];

	const problems: DnsProblem[] = [];
	const isOther = type === 'TXT' && readDkimKey(value).written !== key.written;
	if (isOther) problems.push(different(record, found));
	if (key.isTesting) problems.push(problem('dkimKeyTesting', detail));
	return problems;
}
