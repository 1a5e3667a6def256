import { emailOf, familiesOf, fill, nest, record, type Hostile, type Rows } from '../family';

/** HTML wherever an email or the service's record of one can hold it. */
function hidden(html: string): Hostile[] {
	const parts = [
		'--part',
		'Content-Type: text/plain',
		'',
		'Hello',
		'--part',
		'Content-Type: text/html; charset=utf-8',
		'',
		html,
		'--part--',
		'',
	].join('\r\n');
	return [
		{ rawEmail: emailOf('text/html; charset=utf-8', html) },
		{ rawEmail: emailOf('multipart/mixed; boundary=part', parts) },
		record({ subject: 'Hello', from: 'ada@example.com', html }),
	];
}

const nested = (tag: string) => (size: number) =>
	nest(size, `<${tag}>`, `</${tag.split(' ', 1).join()}>`, 'x');

/** Each piece is repeated, or made to be of a size. */
const PIECES: Rows = [
	['links without quotes in one tag', (size) => `<a ${fill(size, 'href=')}`],
	['links with quotes that never close', '<a href="'],
	['tags that never end', '<b '],
	['angle brackets', '<'],
	['closing angle brackets', '>'],
	['end tags without beginnings', '</div>'],
	['end tags that never end', '</'],
	['divisions within each other', nested('div')],
	['links within each other', nested('a')],
	['tables within each other', nested('table><tr><td')],
	['lists within each other', nested('ul><li')],
	['quotations within each other', nested('blockquote')],
	['quotations by class within each other', nested('div class="yahoo_quoted"')],
	['classes of one element', (size) => `<div class="${fill(size, 'x_zmail_extra ')}">x</div>`],
	['prefixes of a class', (size) => `<div class="${fill(size, 'x_')}">x</div>`],
	['paragraphs that are never closed', '<p>'],
	['cells that are never closed', '<td>x'],
	['rows of cells', '<tr><td>a</td><td>b</td></tr>'],
	['comments that never end', '<!--'],
	['comments of dashes', (size) => `<!--${fill(size, '-')}`],
	['processing instructions that never end', '<?x '],
	['character data sections that never end', '<![CDATA['],
	['styles that never end', '<style>a{}'],
	['scripts that never end', '<script>x()'],
	['entities', '&amp;'],
	['entities that never end', '&amp'],
	['ampersands', '&'],
	['one numeric entity', (size) => `&#${fill(size, '9')};`],
	['attributes in one tag', (size) => `<p ${fill(size, (index) => `a${index}="b" `)}>x</p>`],
	['attributes of the same name', (size) => `<p ${fill(size, 'style="display:none" ')}>x</p>`],
	['one attribute', (size) => `<p style="${fill(size, 'display:none;')}">x</p>`],
	['a tag of blanks', (size) => `<p${fill(size, ' ')}>x</p>`],
	['a name of a tag', (size) => `<${fill(size, 'x')}>`],
	['line breaks', '<br>'],
	['blanks', ' '],
	['blanks between letters', (size) => fill(size, `${' '.repeat(1000)}x`)],
	['one run of blanks before a letter', (size) => `${fill(size, ' ')}x`],
	['invisible padding', '&#847;&zwnj;&nbsp;'],
	['joiners', '\u200d'],
	['joiners before a letter', (size) => `${fill(size, '\u200c\u200d')}x`],
	['joiners and letters', (size) => fill(size, `${'\u200d'.repeat(500)}x`)],
	['addresses that are long', (size) => `<a href="https://x.example/${fill(size, '%20 ')}">x</a>`],
	[
		'addresses and labels that are the same',
		(size) => `<a href="https://${fill(size / 2, 'x')}">${fill(size / 2, 'x')}</a>`,
	],
	['preformatted lines', (size) => `<pre>${fill(size, ' \n')}</pre>`],
	['numbered lists', '<ol><li>x</ol>'],
	['blocks before a word', (size) => `${fill(size, '<p></p>')}x`],
	['blank elements between blanks', ' <i> </i>'],
	['rules', '<hr>'],
	['foreign elements', '<svg><title><style><a href=x>'],
	['hidden divisions within each other', nested('div style="display:none"')],
];

export const HTML_FAMILIES = familiesOf('HTML', PIECES, hidden);
