import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as fc from 'fast-check';

import { Pace } from '../../../../../lib/basics';
import type { TextFormat } from '../../../../../lib/email';
import { newReading, readEmail } from '../../../../support/reading';
import { rows } from '../../../../support/rows';
import { rawReply, REPLY, REPLY_CASES } from './support/cases';
import { newTextOf } from './support/newText';

/** Lines of all kinds that mail programs write. */
const LINES = [...new Set(REPLY_CASES.flatMap(({ body }) => body.split('\n').slice(0, 20)))];

const read = async (rawEmail: string, removeQuotedText = true) =>
	await readEmail(rawEmail, undefined, {
		attachments: false,
		headers: true,
		binaryPrefix: '',
		removeQuotedText,
	});

/** Text that was made of HTML has other empty lines. */
const comparable = (text: string | null, kind: 'plain' | 'html') =>
	(text ?? '')
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => kind === 'plain' || (line !== '' && line !== '>'))
		.join('\n')
		.trim();

test.each(REPLY_CASES)('the new text of $file', async ({ subject, newText, kind, body }) => {
	const headers = [
		`Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
		'In-Reply-To: <one@example.com>',
	];
	const { email } = await read(rawReply(headers, kind, body));
	expect(comparable(email.text, kind)).toBe(comparable(newText, kind));
	expect(email.html).toBe(kind === 'html' ? body : null);
});

/** The words of texts, whatever their order; marks and blanks may differ. */
const wordsIn = (...texts: Array<string | null | undefined>) =>
	texts.flatMap((text) => text?.match(/[\p{L}\p{N}]+/gu) ?? []).sort();

const readAs = async (rawEmail: string, textFormat: TextFormat, removeQuotedText: boolean) => {
	const usual = { attachments: false, headers: false, binaryPrefix: '' };
	const options = { ...usual, textFormat, removeQuotedText };
	return (await readEmail(rawEmail, undefined, options)).email;
};

describe.each(['plain', 'markdown'] as const)('what was removed, with Text Format %s', (format) => {
	test.each(REPLY_CASES)('and what stays have all words of $file', async (one) => {
		const raw = rawReply([`Subject: Re: ${one.file}`, 'In-Reply-To: <1@a.b>'], one.kind, one.body);
		const whole = await readAs(raw, format, false);
		const { text, removedText } = await readAs(raw, format, true);
		expect(whole).not.toHaveProperty('removedText');
		expect(wordsIn(text, removedText)).toEqual(wordsIn(whole.text));
		if (text === whole.text) expect(removedText).toBeNull();
	});

	test('and what stays have all words of any reply', async () => {
		const line = fc.constantFrom(...LINES, '', '', 'Yes, on Friday.', '> Shall we?', '>> Deeper');
		await fc.assert(
			fc.asyncProperty(fc.array(line, { maxLength: 30 }), async (lines) => {
				const raw = rawReply(['Subject: Re: Minutes'], 'plain', lines.join('\n'));
				const { text } = await readAs(raw, format, false);
				const reduced = await readAs(raw, format, true);
				expect(wordsIn(reduced.text, reduced.removedText)).toEqual(wordsIn(text));
			}),
			{ numRuns: 1000 },
		);
	});
});

/** Each line is what a mail program writes above a quotation, in the languages that are read. */
const ATTRIBUTIONS = readFileSync(join(__dirname, 'attributions.txt'), 'utf8').trim().split('\n');

const QUOTED = ['\n> Which day?', '\n\n> Which day?', '\nAL> Which day?'];
/** Without marks of quoting the words above have to name an address. */
const UNMARKED = '\n\nWhich day?';

/** Mail programs break lines where they like: once or twice, also within the date, or at a bracket. */
function folded(attribution: string): string[] {
	const blanks = [...attribution.matchAll(/ /g)].map(({ index }) => index).filter((at) => at > 20);
	const broken = (...places: number[]) =>
		[...attribution].map((letter, at) => (places.includes(at) ? '\n' : letter)).join('');
	return [
		attribution,
		attribution.replace('<', '<\n'),
		attribution.replace(/>(?=[^>]{0,20}[:：]$)/, '\n>'),
		attribution.replace(/ ?([:：])$/, '\n$1'),
		...blanks.flatMap((first) => [
			broken(first),
			...blanks.filter((second) => second > first + 6).map((second) => broken(first, second)),
		]),
	];
}

test.each(ATTRIBUTIONS)(
	'the words above a quotation go, however they are folded: %s',
	async (line) => {
		for (const words of folded(line)) {
			for (const below of line.includes('@') ? [...QUOTED, UNMARKED] : QUOTED) {
				const text = `Tuesday.\n\n${words}${below}`;
				expect([text, await newTextOf(text)]).toEqual([text, 'Tuesday.']);
			}
			const text = `${words}\n> Which day?\n\nTuesday.`;
			expect([text, await newTextOf(text)]).toEqual([text, 'Tuesday.']);
		}
	},
);

test.each([
	'Ada Lovelace said:',
	'"Ada Lovelace" asked:',
	'ada@example.com (Ada Lovelace) writes:',
	'ada@example.com wrote:',
	'In message <2026@b.c>, Ada Lovelace said:',
	'ada via a forum <ada@example.com> wrote:',
	'Zitat von Ada Lovelace <ada@example.com>:',
	'Selon ada <ada@example.com>:',
])('the words %s above a quotation go', async (words) => {
	const text = `Tuesday.\n\n${words}\n> Which day?`;
	expect(await newTextOf(text)).toBe('Tuesday.');
});

/** The prefix of the subject, and the labels of the header above an earlier email. */
test.each(
	rows(`
		SV | Fra | Sendt | Til | Emne
		RE | De | Envoyé | À | Objet
		R | Da | Inviato | A | Oggetto
		RE | 差出人 | 送信日時 | 宛先 | 件名
		ODP | Od | Wysłano | Do | Temat
		RES | De | Enviada em | Para | Assunto
		SV | Från | Skickat | Till | Ämne
		YNT | Kimden | Gönderildi | Kime | Konu
		答复 | 发件人 | 发送时间 | 收件人 | 主题
	`),
)('the header of an earlier email goes: %s, %s', async (prefix, from, sent, to, subject) => {
	const header = `${from}: Ada <a@b.c>\n${sent}: 21.11.2026\n${to}: Grace\n${subject}: Minutes`;
	const reply = { ...REPLY, subject: `${prefix}: Minutes` };
	const text = `Tuesday.\n\n${header}\n\nWhich day?`;
	expect(await newTextOf(text, reply)).toBe('Tuesday.');
});

test.each(
	rows(`
		จาก | ส่ง | ถึง | เรื่อง
		प्रेषक | भेजा गया | प्रति | विषय
		Šalje | Poslano | Prima | Predmet
		Nuo | Išsiųsta | Kam | Tema
		Qwx | Yzv | Bnm | Klp
	`),
)('a header below a rule goes in any language: %s', async (from, sent, to, subject) => {
	const header = `${from}: Ada <a@b.c>\n${sent}: 21 2026 10:00\n${to}: Grace\n${subject}: Minutes`;
	expect(
		await newTextOf(`Tuesday.\n\n________________________________\n${header}\n\nWhich day?`),
	).toBe('Tuesday.');
});

test('a header goes if the prefix of the reply is unknown', async () => {
	const thread = { ...REPLY.thread, inReplyTo: '<1@b.c>' };
	const header = 'From: Ada Lovelace\nDate: 21 Nov 2026\nTo: Grace\nSubject: Minutes';
	const text = `Tuesday.\n\n${header}\n\nWhich day?`;
	expect(await newTextOf(text, { ...REPLY, subject: 'Qwx: Minutes', thread })).toBe('Tuesday.');
});

test.each([
	[
		'a header that someone shows',
		'Re: Bug',
		'Date: 11 Sep 2026\nFrom: Ada <a@b.c>\nMessage-ID: <1@b.c>',
	],
	['a journey', 'Re:', 'From: Vienna\nTo: Graz\nDate: Saturday'],
])('%s stays, and the text below it', async (_name, subject, header) => {
	const text = `Please look:\n\n${header}\n\nIs that right?`;
	expect(await newTextOf(text, { ...REPLY, subject })).toBe(text);
});

test.each([
	'Von meinem iPhone gesendet',
	'Enviado desde mi iPhone',
	'Envoyé de mon iPhone',
	'iPhoneから送信',
	'Verstuurd vanaf mijn iPhone',
	'Skickat från min iPhone',
	'发自我的iPhone',
	'Inviato da iPad',
])('the line of an app goes: %s', async (line) => {
	const text = `Tuesday.\n\n${line}\n\n> ${ATTRIBUTIONS[0]}\n>\n> Which day?`;
	expect(await newTextOf(text)).toBe('Tuesday.');
});

test.each([
	['only looks like a reply', ['Subject: Minutes']],
	['has a word before a colon in its subject', ['Subject: Return of goods: two']],
	['has no subject', []],
	...['Fwd: Minutes', 'FW: Re: Minutes', 'WG: Minutes', 'TR : Minutes', '[ext] Fwd: Minutes'].map(
		(subject): [string, string[]] => [
			`was forwarded as ${subject}`,
			[`Subject: ${subject}`, 'In-Reply-To: <one@example.com>'],
		],
	),
])('an email that %s is not touched', async (_name, headers) => {
	for (const { body } of REPLY_CASES) {
		const rawEmail = rawReply(headers, 'plain', body);
		const { email, ...others } = await read(rawEmail);
		const { removedText, ...rest } = email;
		expect(removedText).toBeNull();
		expect({ email: rest, ...others }).toEqual(await read(rawEmail, false));
	}
});

const HEADER = 'From: Ada <a@b.c>\nDate: 21 Nov 2026\nSubject: Minutes';

test.each<[string, 'plain' | 'html', string]>([
	[
		'what an answer forwards',
		'plain',
		'Here.\n\n---- Forwarded message ----\nFrom: Ada\n\nAgreed.',
	],
	['a forward of Ada', 'plain', `Here.\n\n-- Forwarded message from Ada --\n${HEADER}\n\nAgreed.`],
	['a forward by Eudora', 'plain', `Here.\n\n--- begin forwarded text\n\n${HEADER}\n\nAgreed.`],
	[
		'a quotation above another',
		'plain',
		'See:\n> Agreed.\n\nOn 21/11/2026, Ada <a@b.c> wrote:\n> A',
	],
	['an attributed quotation alone', 'plain', 'On 21/11/2026 10:02, Ada wrote:\n\n> Agreed.'],
	['a quotation alone', 'plain', '> Agreed.'],
	['a quotation alone, in HTML', 'html', '<blockquote type="cite">Agreed.</blockquote>'],
])('%s is kept', async (_name, kind, body) => {
	const { text } = (await read(rawReply(['Subject: Re: Minutes'], kind, body))).email;
	expect(text).toContain('Agreed.');
});

test('the lines of a long reply are judged with pauses', async () => {
	const pause = jest.fn(async () => {});
	const reading = { ...newReading(), pace: new Pace(pause) };
	await newTextOf('From: x\n'.repeat(4000), REPLY, reading);
	expect(pause.mock.calls.length).toBeGreaterThan(10);
});
