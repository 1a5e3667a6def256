import { readHtml } from '../support/reading';

test('a text with too many lines to be kept as blocks is the same plain text', async () => {
	const entry = '<li>One <a href="https://x.example">two</a><p>three</p></li>';
	const html = `<p>a</p><ol>${entry.repeat(3000)}</ol><pre>b\n  c</pre>`;
	const { text: whole } = await readHtml(html);
	expect(await readHtml(html, 'plain', { pieces: 500 })).toEqual({
		text: whole,
		blocks: undefined,
	});
});
