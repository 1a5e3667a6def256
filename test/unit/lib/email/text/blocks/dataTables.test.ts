import { readHtml, readMarkdown as toMarkdown } from '../support/reading';

const textOf = async (html: string) => (await readHtml(html)).text;

test.each([
	[
		'<table><tr><th>Item</th><th>Price</th></tr><tr><td>A</td><td>1</td></tr></table>',
		'Item\tPrice\nA\t1',
	],
	['<table><tr><td><p>A</p></td><td><p>1</p></td></tr></table>', 'A\t1'],
	['<table><tr><td>Left<br>two</td><td>Right</td></tr></table>', 'Left\ntwo\nRight'],
	['<table><tr><td>A<td><td>B<tr><td>C</table>d', 'A\tB\nC\nd'],
	['<table><tr><td>A</td><td><table><tr><td>in</td></tr></table></td></tr></table>', 'A\nin'],
])('cells stand apart: %s', async (html, text) => {
	expect(await textOf(html)).toBe(text);
});

const data = '<table><tr><th>Item</th><th>Price</th></tr><tr><td>A</td><td>1|2</td></tr></table>';

test.each([
	[
		'data',
		`before${data}after`,
		'before\n\n| Item | Price |\n| --- | --- |\n| A | 1\\|2 |\n\nafter',
	],
	[
		'empty cells, and one over two columns',
		'<table><tr><td colspan=2>A</td><td>B<tr><td><td>C<td>D</td></tr></table>',
		'| A |  | B |\n| --- | --- | --- |\n|  | C | D |',
	],
	[
		'cells of a blank, as programs fill empty ones',
		'<table><tr><th>&nbsp;<th>2024<th>2025</tr><tr><td>Sales<td>1<td>2</tr><tr><td>&nbsp;<td>&nbsp;<td>9</tr><tr><td>A<td>3<td>&nbsp;</tr></table>',
		'|  | 2024 | 2025 |\n| --- | --- | --- |\n| Sales | 1 | 2 |\n|  |  | 9 |\n| A | 3 |  |',
	],
	[
		'in a quotation',
		`<blockquote>${data}</blockquote>`,
		'> | Item | Price |\n> | --- | --- |\n> | A | 1\\|2 |',
	],
	[
		'within a layout',
		`<table><tr><td>${data}</td></tr></table>`,
		'| Item | Price |\n| --- | --- |\n| A | 1\\|2 |',
	],
	[
		'a layout that says so',
		data.replace('table', 'table role=presentation'),
		'Item\tPrice  \nA\t1\\|2',
	],
	[
		'a cell over two rows, so that the second one has fewer',
		'<table><tr><th>A<th>B<th>C</tr><tr><td rowspan=2>D<td>E<td>F</tr><tr><td>G<td>H</tr></table>',
		'| A | B | C |\n| --- | --- | --- |\n| D | E | F |\n| G | H |  |',
	],
	['one row', '<table><tr><td>A</td><td>B</td></tr></table>', 'A\tB'],
	['one column', '<table><tr><td>A</td></tr><tr><td>B</td></tr></table>', 'A\n\nB'],
	[
		'cells of several lines',
		'<table><tr><td>A<br>B</td><td>C</td></tr><tr><td>D<td>E</table>',
		'A  \nB\n\nC\n\nD\tE',
	],
])('a table of data is one in Markdown, a layout is not: %s', async (_, html, markdown) => {
	expect((await toMarkdown(html)).markdown).toBe(markdown);
});
