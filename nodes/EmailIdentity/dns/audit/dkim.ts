import { readDkimKey, type DkimKey } from '../records';
import type { Questions } from '../resolver/questions';
import { foundText, type DnsProblem, type DnsProblemCode } from './problems';
import { compareAlias, different, missing, type RequiredRecord } from './required';

const STATES: Readonly<Record<DkimKey['state'], DnsProblemCode | null>> = {
	malformed: 'dkimKeyMalformed',
	revoked: 'dkimKeyRevoked',
	tooShort: 'dkimKeyTooShort',
	usable: null,
};

/**
 * Whether receivers find the DKIM key that the service signs with, and take it.
 *
 * @param record the key itself, or the alias that leads to it
 */
export async function checkDkim(
	questions: Questions,
	record: RequiredRecord,
	domain: string,
): Promise<DnsProblem[]> {
	if (record.type === 'CNAME') {
		const problems = await compareAlias(questions, record, domain);
		if (problems.length > 0) return problems;
	}
	const texts = await questions.records(record.name, 'TXT');
	if (texts === undefined) return [];
	const { type, name, expected } = record;
	const detail = { type, name, expected, found: foundText(texts) };
	const [text, ...others] = texts;
	if (text === undefined) {
		if (type === 'TXT') return [await missing(questions, record, domain)];
		return [{ code: 'dkimKeyMissing', record: { ...detail, found: record.value }, reason: null }];
	}
	if (others.length > 0) {
		const reason = 'there are two records where there can be only one';
		return [{ code: 'dkimKeyMalformed', record: detail, reason }];
	}

	const key = readDkimKey(text);
	const code = STATES[key.state];
	if (code !== null) return [{ code, record: detail, reason: key.flaw }];
	const problems: DnsProblem[] = [];
	if (type === 'TXT' && readDkimKey(record.value).key !== key.key) {
		problems.push(different(record, detail.found));
	}
	if (key.isTesting) problems.push({ code: 'dkimKeyTesting', record: detail, reason: null });
	return problems;
}
