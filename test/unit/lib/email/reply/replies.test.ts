import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { removeQuotedText } from '../../../../../lib/email/reply/removeQuotedText';
import { newPace, readEmail } from '../../../../support/reading';
import { rawReply, REPLY, REPLY_CASES } from './support/cases';

const OPTIONS = { attachments: false, headers: false, binaryPrefix: '', removeQuotedText: true };

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
	const { email } = await readEmail(rawReply(headers, kind, body), undefined, OPTIONS);
	expect(comparable(email.text, kind)).toBe(comparable(newText, kind));
	expect(email.html).toBe(kind === 'html' ? body : null);
});

/** Each line is what a mail program writes above a quotation, in the languages that are read. */
const ATTRIBUTIONS = readFileSync(join(__dirname, 'attributions.txt'), 'utf8').trim().split('\n');

const QUOTED = ['\n> Which day?', '\n\n> Which day?'];
/** Without marks of quoting the words above have to name an address. */
const UNMARKED = '\n\nWhich day?';

/** Mail programs break lines where they like: once or twice, also within the date, or behind the bracket. */
function folded(attribution: string): string[] {
	const blanks = [...attribution.matchAll(/ /g)].map(({ index }) => index).filter((at) => at > 20);
	const broken = (...places: number[]) =>
		[...attribution].map((letter, at) => (places.includes(at) ? '\n' : letter)).join('');
	return [
		attribution,
		attribution.replace('<', '<\n'),
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
				expect([text, await removeQuotedText(text, REPLY, newPace())]).toEqual([text, 'Tuesday.']);
			}
			const text = `${words}\n> Which day?\n\nTuesday.`;
			expect([text, await removeQuotedText(text, REPLY, newPace())]).toEqual([text, 'Tuesday.']);
		}
	},
);

test.each([
	'Ada Lovelace said:',
	'"Ada Lovelace" asked:',
	'ada@example.com (Ada Lovelace) writes:',
	'ada@example.com wrote:',
	'In message <2026@b.c>, Ada Lovelace said:',
])('the words %s above a quotation go', async (words) => {
	const text = `Tuesday.\n\n${words}\n> Which day?`;
	expect(await removeQuotedText(text, REPLY, newPace())).toBe('Tuesday.');
});
