import { AnswerCache } from '../../../nodes/EmailIdentity/dns/answerCache';

test('however many answers there are, and however long, they take a bounded memory', () => {
	const cache = new AnswerCache();
	const long = { status: 'found' as const, records: ['x'.repeat(60_000)] };
	for (let index = 0; index < 1000; index++) {
		cache.set(`TXT long${index}.example.com`, { ...long }, 60);
		cache.set(`MX none${index}.example.com`, { status: 'noSuchName' }, 60);
	}
	const kept = (prefix: string) =>
		Array.from({ length: 1000 }, (_, index) => cache.get(`${prefix}${index}.example.com`)).filter(
			(answer) => answer !== undefined,
		).length;
	expect(kept('TXT long')).toBeGreaterThan(10);
	expect(kept('TXT long')).toBeLessThan(100);
	expect(kept('MX none')).toBeLessThan(100);
	expect(cache.get('TXT long999.example.com')).toEqual(long);
});

test('thousands of short answers are kept', () => {
	const cache = new AnswerCache();
	const answer = { status: 'found' as const, records: ['v=spf1 -all'] };
	for (let index = 0; index < 5000; index++) cache.set(`TXT n${index}.example.com`, answer, 60);
	expect(cache.get('TXT n0.example.com')).toEqual(answer);
});

test('what holds for no time is not kept', () => {
	const cache = new AnswerCache();
	cache.set('TXT example.com', { status: 'noData' }, 0);
	expect(cache.get('TXT example.com')).toBeUndefined();
});
