import { readEmail } from '../../../../support/reading';

const ID = 'Content-ID: <Logo@example.com>';

function mixed(...parts: string[][]): string {
	const lines = parts.flatMap((part) => ['--m', ...part]);
	return ['From: a@b.c', 'Content-Type: multipart/mixed; boundary=m', '', ...lines, '--m--'].join(
		'\r\n',
	);
}

const html = (content: string, ...fields: string[]) => [
	'Content-Type: text/html; charset=utf-8',
	...fields,
	'',
	content,
];

const file = (name: string, ...fields: string[]) => [
	`Content-Type: image/png; name=${name}`,
	`Content-Disposition: inline; filename=${name}`,
	...fields,
	'',
	'x',
];

async function inlineFiles(rawEmail: string): Promise<string[]> {
	const { email } = await readEmail(rawEmail);
	return email.attachments.filter(({ inline }) => inline).map(({ fileName }) => fileName);
}

const IS_SHOWN = [
	'<img src="cid:logo@example.com">',
	'<IMG SRC=CID:Logo@example.com>',
	'<img src="Logo@example.com">',
	"<img src=' cid:Logo@example.com '>",
	'<img src="cid:%3CLogo%40example.com%3E">',
	'<img src="cid:Logo&#64;example.com">',
	'<img srcset="https://example.com/a.png 1x, cid:Logo@example.com 2x">',
	'<picture><source srcset="cid:Logo@example.com"></picture>',
	'<input type=image src="cid:Logo@example.com">',
	'<table background="cid:Logo@example.com"></table>',
	'<div style="background-image: url(cid:Logo@example.com)"></div>',
	'<div style="background: #fff url( \'cid:Logo@example.com\' )"></div>',
	'<div style="background: url(&quot;cid:Logo@example.com&quot;)"></div>',
	'<style>td { background: url("cid:Logo@example.com") }</style>',
	'<object type="image/png" data="cid:Logo@example.com"></object>',
	'<!--[if gte vml 1]><v:imagedata src="cid:Logo@example.com" /><![endif]-->',
	'<!--[if gte mso 9]><v:fill type="tile" src="cid:Logo@example.com"/><![endif]-->',
	'<v:imagedata src="cid:Logo@example.com">',
	'<svg><image xlink:href="cid:Logo@example.com"/></svg>',
];

test.each(IS_SHOWN)('a picture is inline if the HTML shows it: %s', async (content) => {
	expect(await inlineFiles(mixed(html(content), file('a.png', ID)))).toEqual(['a.png']);
});

const IS_NOT_SHOWN = [
	'<a href="cid:Logo@example.com">Logo</a>',
	'<link rel=stylesheet href="cid:Logo@example.com">',
	'<p>cid:Logo@example.com</p>',
	'<img alt="cid:Logo@example.com">',
	'<img src="cid:other@example.com">',
	'<img src="blob:Logo@example.com">',
	'<!-- <img src="cid:Logo@example.com"> -->',
	'<![CDATA[<img src="cid:Logo@example.com">',
	'<textarea><img src="cid:Logo@example.com"></textarea>',
];

test.each(IS_NOT_SHOWN)(
	'a picture is an attachment if the HTML does not show it: %s',
	async (content) => {
		expect(await inlineFiles(mixed(html(content), file('a.png', ID)))).toEqual([]);
	},
);

test.each([
	['application/octet-stream; name=a.png', ['a.png']],
	['application/octet-stream', ['attachment']],
	['application/pdf; name=a.pdf', []],
	['application/octet-stream; name=a.pdf', []],
	['text/css; name=a.css', []],
])(
	'a file of type %s that the HTML refers to as a picture: inline are %j',
	async (type, expected) => {
		const content = '<img src="cid:a"><style>@import url(cid:a)</style><object data="cid:a">';
		const part = [`Content-Type: ${type}`, 'Content-ID: <a>', '', 'x'];
		expect(await inlineFiles(mixed(html(content), part))).toEqual(expected);
	},
);

test.each([
	['a name', 'logo.png', 'logo.png', []],
	['an address', 'https://example.com/logo.png', 'https://example.com/logo.png', []],
	[
		'a base of the HTML',
		'https://example.com/x/a.png',
		'a.png',
		['Content-Base: https://example.com/x/'],
	],
	[
		'the place of the HTML',
		'https://example.com/a.png',
		'a.png',
		['Content-Location: https://example.com/p'],
	],
	[
		'the base of the HTML, not its place',
		'https://example.com/a.png',
		'a.png',
		['Content-Location: https://example.org/p', 'Content-Base: https://example.com/'],
	],
	[
		'a base that is too long counts as none',
		'a.png',
		'a.png',
		[`Content-Base: https://example.com/${'x/'.repeat(1000)}`],
	],
])('a picture is found by Content-Location: %s', async (_what, location, address, fields) => {
	const content = html(`<img src="${address}">`, ...fields);
	const picture = file('a.png', `Content-Location: ${location}`);
	const other = file('b.png', 'Content-Location: https://example.org/other.png');
	expect(await inlineFiles(mixed(content, picture, other))).toEqual(['a.png']);
});

test('of several pictures with one Content-ID, the one beside the HTML is shown, else the first', async () => {
	const related = [
		'Content-Type: multipart/related; boundary=r',
		'',
		...['--r', ...html('<img src="cid:Logo@example.com">')],
		...['--r', ...file('in-related.png', ID)],
		...['--r', ...file('second.png', ID)],
		'--r--',
	];
	expect(await inlineFiles(mixed(file('before.png', ID), related))).toEqual(['in-related.png']);
	const beside = html('<img src="cid:Logo@example.com">');
	expect(await inlineFiles(mixed(beside, file('1.png', ID), file('2.png', ID)))).toEqual(['1.png']);
});

test('only the own HTML of an email counts, and all of it', async () => {
	const inner = mixed(html('<img src="cid:inner">'), file('inner.png', 'Content-ID: <inner>'));
	const attached = ['Content-Type: message/rfc822', '', inner.replaceAll('--m', '--n')];
	const rawEmail = mixed(
		html('<img src="cid:one">'),
		html('<img src="cid:two">'),
		['Content-Type: text/html', 'Content-Disposition: attachment', '', '<img src="cid:three">'],
		...['one', 'two', 'three', 'inner'].map((id) => file(`${id}.jpg`, `Content-ID: <${id}>`)),
		attached.map((line) => line.replace('boundary=m', 'boundary=n')),
	);
	expect(await inlineFiles(rawEmail)).toEqual(['one.jpg', 'two.jpg', 'inner.png']);
});
