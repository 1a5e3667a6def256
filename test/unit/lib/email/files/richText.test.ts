import * as fc from 'fast-check';

import { readRichText } from '../../../../../lib/email/files/richText';
import { newPace } from '../../../../support/reading';

const read = async (rtf: string) =>
	await readRichText(Buffer.from(`{\\rtf1\\ansi ${rtf}}`, 'latin1'), newPace());

const textOf = async (rtf: string) => (await read(rtf))?.text;

test('HTML that was packed into RTF is unpacked without what RTF adds to it', async () => {
	const html = await read(
		String.raw`\ansicpg1252\fromhtml1 \fbidis \deff0{\fonttbl
{\f0\fswiss Arial;}{\f1{\*\fname Other;}Courier New;}}
{\colortbl\red0\green0\blue0;}
\uc1\pard\plain \f0\fs24 
{\*\htmltag19 <html>}
{\*\htmltag34 <head>}
{\*\htmltag241 <style>p \{ color: red; \}\par \tab a\'e9 </style>}
{\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 Caf\'e9 {\*\htmltag84 &nbsp;}\htmlrtf \'a0\htmlrtf0 &
{\*\htmltag84 <a href="tel:1">}\htmlrtf {\field{\*\fldinst{HYPERLINK "tel:1"}}{\fldrslt\cf1 \htmlrtf0 one\htmlrtf }\htmlrtf0 \htmlrtf }\htmlrtf0
{\*\htmltag92 </a>}{\*\mhtmltag92 </b>}\htmlrtf\par}\htmlrtf0
{\*\htmltag27 </html>}`,
	);
	expect(html).toMatchObject({
		kind: 'html',
		text: '<html><head><style>p { color: red; }\n\taé </style><p>Café &nbsp;&<a href="tel:1">one</a></html>',
	});
});

test('plain text in RTF is as it was', async () => {
	const rtf = String.raw`\fromtext \deff0{\fonttbl{\f0 Arial;}}\pard\plain Hi,\par \par a\{b\}\\c\tab d\line e`;
	expect(await read(rtf)).toMatchObject({ kind: 'text', text: 'Hi,\n\na{b}\\c\td\ne' });
});

test.each([
	[
		'a character in Unicode, without those behind it',
		String.raw`\uc2 \u12354\'82\'a0b\uc1\u-10179?\u-8704?`,
		'あb😀',
	],
	['what follows a group behind one', String.raw`\uc9\u12354 a{b}c`, 'あbc'],
	[
		'no control word or symbol that stands for one',
		String.raw`\u8220\ldblquote Hi\u8221\rdblquote \u160\~b`,
		'“Hi”\u00a0b',
	],
	['all that follows one with less than no characters behind it', String.raw`\uc-5\u65 Hi`, 'AHi'],
	['half of a character in Unicode', String.raw`a\u-10179?`, 'a\ufffd'],
	['the first code page that it names', String.raw`\ansicpg1251\ansicpg1252 \'cf\'f0`, 'Пр'],
	['the charset of an Apple', String.raw`\mac caf\'8e`, 'café'],
	['the charset of an IBM PC', String.raw`\pc caf\'82`, 'café'],
	['a Western font', String.raw`\ansicpg1251{\fonttbl{\f1\fcharset0 A;}}\f1 \'e9`, 'é'],
	[
		'the charset of a font, up to the end of its group or the usual font',
		String.raw`\deff0{\fonttbl{\f0 A;}{\f1\fcharset204 B;}}\'e9{\f1 \'cf}\'e9\f1 \'cf\plain \'e9`,
		'éПéПé',
	],
	['no NUL', String.raw`a\'00\~b\~c`, 'a\u00a0b\u00a0c'],
	['a first byte without a second', String.raw`\ansicpg932 \'82\~b\~c`, '\ufffd\u00a0b\u00a0c'],
	['no charset in which its own letters are others', String.raw`\ansicpg1200 Hi\'e9`, 'Hié'],
	['two bytes', String.raw`{\fonttbl{\f1\fcharset128 B;}}\f1\'82\'a0`, 'あ'],
	['cells and dashes', String.raw`a\cell b\nestcell c\row \emdash\~`, 'a\tb\tc\n—\u00a0'],
	['words apart', String.raw`a\page b\sect c\column d`, 'a\nb\nc\nd'],
	['no hidden words', String.raw`a{\v b}c\v d\v0 e\v f\plain g`, 'aceg'],
	['no picture, in digits or in bytes', 'a{\\pict 00ff}b{\\pict\\bin3 }}\\}c\\bin-9 d', 'abcd'],
	['no other destination', String.raw`a{\*\generator b{c};}{\info{\title d}}e`, 'ae'],
	['nothing behind the end', 'a}b', 'a'],
])('the text of RTF has %s', async (_what, rtf, expected) => {
	expect(await read(rtf)).toMatchObject({ kind: 'other', isWhole: true, text: expected });
});

test('other bytes are no RTF', async () => {
	expect(await readRichText(Buffer.from('Hello {\\rtf1}'), newPace())).toBeUndefined();
});

test('a text ends where it has a thousand groups within each other, because each takes memory', async () => {
	const within = async (groups: number) =>
		await read(`a${'{'.repeat(groups)}b${'}'.repeat(groups)}`);
	expect(await within(900)).toMatchObject({ text: 'ab', isWhole: true });
	expect(await within(100_000)).toMatchObject({ text: 'a', isWhole: false });
});

test('a text without its end is not whole', async () => {
	const rtf = Buffer.from('{\\rtf1 {Hello} wor');
	expect(await readRichText(rtf, newPace())).toMatchObject({ text: 'Hello wor', isWhole: false });
});

test.each([1, 10_000])('%d letters in an unknown charset are guessed', async (length) => {
	const charset = { charset: 'cp10007', isGuessed: true };
	const letters = String.raw`\'cf`.repeat(length);
	const text = 'Ï'.repeat(length);
	expect(await read(`\\ansicpg10007 ${letters}`)).toMatchObject({ ...charset, text });
	expect((await read('\\ansicpg10007 Hello'))?.isGuessed).toBeUndefined();
});

test('characters and bytes stay together and in their order, however many there are', async () => {
	const count = 5000;
	const rtf = String.raw`\'82\'a0\~`.repeat(count);
	expect(await textOf(`\\ansicpg932 ${rtf}`)).toBe('あ\u00a0'.repeat(count));
});

test('no text makes the reader fail', async () => {
	const piece = fc.constantFrom(
		'{',
		'}',
		'\\',
		'\\u1',
		'\\bin',
		'-9',
		"\\'",
		'f',
		'\\*',
		'\\fromhtml1',
		'é',
	);
	await fc.assert(
		fc.asyncProperty(fc.array(piece), async (pieces) => {
			expect(typeof (await textOf(pieces.join('')))).toBe('string');
		}),
	);
});
