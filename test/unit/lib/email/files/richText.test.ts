import * as fc from 'fast-check';

import { readRichText } from '../../../../../lib/email/files/richText';
import { newPace } from '../../../../support/reading';

const read = async (rtf: string) =>
	await readRichText(Buffer.from(`{\\rtf1\\ansi ${rtf}}`, 'latin1'), newPace());

const textOf = async (rtf: string) => (await read(rtf))?.text;

test('HTML in RTF is its tags and the text between, without what stands for tags', async () => {
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
	expect(html).toEqual({
		kind: 'html',
		text: '<html><head><style>p { color: red; }\n\taé </style><p>Café &nbsp;&<a href="tel:1">one</a></html>',
	});
});

test('plain text in RTF is as it was', async () => {
	const rtf = String.raw`\fromtext \deff0{\fonttbl{\f0 Arial;}}\pard\plain Hi,\par \par a\{b\}\\c\tab d\line e`;
	expect(await read(rtf)).toEqual({ kind: 'text', text: 'Hi,\n\na{b}\\c\td\ne' });
});

test.each([
	[
		'a character in Unicode, without those behind it',
		String.raw`\uc2 \u12354\'82\'a0b\uc1\u-10179?\u-8704?`,
		'あb😀',
	],
	['what follows a group behind one', String.raw`\uc9\u12354 a{b}c`, 'あbc'],
	['half of a character in Unicode', String.raw`a\u-10179?`, 'a\ufffd'],
	['the code page of the text', String.raw`\ansicpg1251 \'cf\'f0`, 'Пр'],
	[
		'the charset of a font, up to the end of its group or the usual font',
		String.raw`\deff0{\fonttbl{\f0 A;}{\f1\fcharset204 B;}}\'e9{\f1 \'cf}\'e9\f1 \'cf\plain \'e9`,
		'éПéПé',
	],
	['two bytes', String.raw`{\fonttbl{\f1\fcharset128 B;}}\f1\'82\'a0`, 'あ'],
	['cells and dashes', String.raw`a\cell b\row \emdash\~`, 'a\tb\n—\u00a0'],
	['no hidden words', String.raw`a{\v b}c\v d\v0 e\v f\plain g`, 'aceg'],
	['no picture, in digits or in bytes', 'a{\\pict 00ff}b{\\pict\\bin3 }}{}c', 'abc'],
	['no other destination', String.raw`a{\*\generator b{c};}{\info{\title d}}e`, 'ae'],
	['nothing behind the end', 'a}b', 'a'],
])('the text of RTF has %s', async (_what, rtf, expected) => {
	expect(await read(rtf)).toEqual({ kind: 'other', text: expected });
});

test('other bytes are no RTF', async () => {
	expect(await readRichText(Buffer.from('Hello {\\rtf1}'), newPace())).toBeUndefined();
});

test('a text ends where it has a thousand groups within each other, because each takes memory', async () => {
	const within = async (groups: number) => await textOf(`a${'{'.repeat(groups)}b`);
	expect(await within(900)).toBe('ab');
	expect(await within(100_000)).toBe('a');
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
