import { collectExpressions, type Expression } from './expressions/collect';
import { MADE_LATER, NOT_LINEAR } from './expressions/exceptions';
import { statusesOf } from './expressions/statuses';

const end = new AbortController();

// A checker that still runs when the test has failed would go on for minutes.
afterAll(() => end.abort());

test('no regular expression that is shipped takes more than linear time, for any input', async () => {
	const { shipped, madeLater } = collectExpressions();
	expect(madeLater).toEqual(MADE_LATER);
	const statuses = await statusesOf(shipped, end.signal);
	const found = shipped.filter((_, index) => statuses[index] !== 'safe');
	expect(found.map(beginningOf).sort()).toEqual(Object.keys(NOT_LINEAR).sort());
});

function beginningOf({ source }: Expression): string {
	return source.replace(/[^ -~]+/g, '…').slice(0, 30);
}
