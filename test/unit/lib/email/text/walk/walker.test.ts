import { readHtml } from '../support/reading';

const textOf = async (html: string) => (await readHtml(html)).text;

test.each([
	['<p>one<p>two</p>', 'one\n\ntwo'],
	['one</p>two', 'one\n\ntwo'],
	['a</br>b', 'a\nb'],
	['<constructor>a</constructor><div class="constructor">b</div>', 'a\nb'],
])('elements end where they end in browsers: %s', async (html, text) => {
	expect(await textOf(html)).toBe(text);
});

test('HTML that is nested deeper than any browser follows still gives its text', async () => {
	expect(await textOf(`${'<div>'.repeat(100_000)}deep${'</div>'.repeat(100_000)}<p>after`)).toBe(
		'deep\n\nafter',
	);
});
