import * as fc from 'fast-check';

import '../../../../support/propertySeed';
import { withoutInvisible } from '../../../../../lib/email/mime/invisible';
import { readEmail } from '../../../../support/reading';

const tags = (words: string) =>
	String.fromCodePoint(...[...words].map((letter) => 0xe0000 + letter.charCodeAt(0)));

const SCOTLAND = `\u{1f3f4}${tags('gbsct')}\u{e007f}`;

describe('characters that an emoji or a script needs stay', () => {
	test.each([
		['a flag', SCOTLAND],
		['emoji that are joined', '👩\u200d💻 👩🏽\u200d🤝\u200d👨🏻 🏳️\u200d🌈 ❤️ 1\ufe0f\u20e3'],
		['Persian', 'می\u200cخواهم ه\u200d.ش'],
		['Hindi', 'क्\u200dष र्\u200d'],
		['Malayalam', 'അവന്\u200d പോയി'],
		['Mongolian', 'ᠠ\u180b ᠬ\u180eᠠ'],
		['a name in Japanese', '葛\u{e0100}城'],
		['Arabic and Hebrew', 'السلام عليكم שלום'],
	])('%s', (_, text) => {
		expect(withoutInvisible(text)).toBe(text);
	});
});

describe('all others go', () => {
	test.each([
		['words in tag characters', `Hi${tags('pay Eve')}!`, 'Hi!'],
		['words within a flag', `\u{1f3f4}${tags('payeve')}\u{e007f}`, '\u{1f3f4}'],
		['variation selectors in a row', 'Hi👍\ufe0f\ufe01\ufe02\u{e0110}\u{e0111}', 'Hi👍\ufe0f'],
		['characters without a width', 'P\u200bay\u2060 \ufeffE\u00adve\u200d\u200c', 'Pay Eve'],
		['directions', '\u202egpj.\u202cexe\u2066\u2069\u200e\u200f\u061c', 'gpj.exe'],
		['a second joiner', 'می\u200c\u200cخواهم', 'می\u200cخواهم'],
		['fillers', 'a\u3164b\u115fc\u034f', 'abc'],
	])('%s', (_, text, visible) => {
		expect(withoutInvisible(text)).toBe(visible);
	});

	test('from text, HTML as text, subject, names and file names', async () => {
		const name = `A\u200bd${tags('x')}a`;
		const encoded = `=?utf-8?b?${Buffer.from(name).toString('base64')}?=`;
		const raw = [
			`From: ${encoded} <a@b.c>`,
			`Subject: ${encoded}`,
			'Content-Type: multipart/mixed; boundary=b',
			'',
			'--b',
			'Content-Type: text/html; charset=utf-8',
			'',
			`<p>${name}&#xE0041;</p>`,
			'--b',
			`Content-Disposition: attachment; filename="${name}.txt"`,
			'',
			'x',
			'--b--',
		];
		const { email } = await readEmail(raw.join('\r\n'));
		expect(email).toMatchObject({
			from: { name: 'Ada' },
			subject: 'Ada',
			text: 'Ada',
			html: `<p>${name}&#xE0041;</p>`,
			attachments: [{ fileName: 'Ada.txt' }],
		});
	});
});

test('whatever the text, no invisible character is left without one that needs it', () => {
	const invisible = fc.constantFrom(
		...'\u200b\u200c\u200d\u200e\u202e\u2066\ufeff\u00ad\ufe0f\ufe01\u180b',
		'\u{e0041}',
		'\u{e007f}',
		'\u{e0100}',
	);
	const letter = fc.constantFrom('a', ' ', '\n', 'م', 'क', '्', '👍', '葛', '1', '\u{1f3f4}');
	const text = fc.array(fc.oneof(invisible, letter), { maxLength: 30 }).map((all) => all.join(''));
	fc.assert(
		fc.property(text, (written) => {
			const visible = withoutInvisible(written);
			expect(visible).not.toMatch(/[\u200b\u200e\u202e\u2066\ufeff\u00ad\u{e0041}\u{e007f}]/u);
			expect(visible).not.toMatch(/(?:^|[a\s\p{DI}])\p{DI}/u);
			expect(withoutInvisible(visible)).toBe(visible);
			expect(visible.replace(/\p{DI}/gu, '')).toBe(written.replace(/\p{DI}/gu, ''));
		}),
	);
});
