import * as fc from 'fast-check';

import { newPace } from '../../../reading';
import { removeQuotedText } from '../../../../nodes/EmailIdentity/email/reply/removeQuotedText';
import '../../../propertySeed';

const ONE = '<one@example.com>';
const ANSWER = {
	subject: 'Re: Minutes',
	thread: { id: ONE, messageId: null, inReplyTo: ONE, references: [], replyTo: [] },
};

const newText = async (text: string) =>
	(await removeQuotedText({ text, html: null }, ANSWER, newPace())).text ?? '';
const newHtml = async (html: string) =>
	(await removeQuotedText({ text: null, html }, ANSWER, newPace())).html ?? '';

/** What people write that looks a little like what mail programs write. */
const OWN = fc.oneof(
	fc.constantFrom(
		'On Monday at 10:00 we meet.',
		'On Saturday Ada wrote to me.',
		'This is what she wrote:',
		'I wrote to Ada <ada@example.com>:',
		'Please answer ada@example.com before 21.11.2026, 10:00:',
		'I looked up on 21.11.2026 what she wrote:',
		'You wrote:',
		'He wrote that at 10:00 on 21.11.2026 it was done.',
		'From: the shop on the corner',
		'Date: not yet known',
		'To: whom it may concern',
		'Sent from the warehouse yesterday.',
		'Original message',
		'a > b',
		'- one',
		'---',
		'*****',
		'1 > 2, 3 < 4',
		'>From here it is easy',
		'Ich habe es gestern mit dem iPhone gesendet, also sollte es da sein.',
	),
	fc.stringMatching(/^[a-zäß][a-z äß,.!?]{0,40}$/),
);

const QUOTED = fc.array(
	fc.constantFrom('> quoted', '> > deeper', '>', '> On Friday Grace wrote:', '>> deeper', '> -- '),
	{ minLength: 1, maxLength: 5 },
);

const ATTRIBUTION = fc.constantFrom(
	['On Sat, Nov 21, 2026 at 10:02 AM Ada <ada@example.com> wrote:'],
	['On Sat, Nov 21, 2026 at 10:02 AM Ada Lovelace <', 'ada@example.com> wrote:', ''],
	['Am 21.11.26 um 10:02 schrieb Ada:'],
	[],
);

type Block = { own: string[] } | { old: string[] };

const BLOCKS: fc.Arbitrary<Block[]> = fc.array(
	fc.oneof(
		fc.array(OWN, { minLength: 1, maxLength: 4 }).map((own) => ({ own })),
		fc.tuple(ATTRIBUTION, QUOTED).map(([above, quoted]) => ({ old: [...above, ...quoted] })),
	),
	{ minLength: 1, maxLength: 6 },
);

const HISTORY = [
	'________________________________',
	'From: Ada <ada@example.com>',
	'Sent: Saturday, November 21, 2026 10:02 AM',
	'To: Grace <grace@example.com>',
	'Subject: Minutes',
	'',
	'All agreed.',
];

const linesOf = (blocks: Block[]) =>
	blocks.flatMap((block) => [...('own' in block ? block.own : block.old), '']);
const ownOf = (blocks: Block[]) => blocks.flatMap((block) => ('own' in block ? block.own : []));

/** Whether all of these are there, in this order. */
function holds(text: string, wanted: readonly string[]): boolean {
	const lines = text.split('\n').map((line) => line.trim());
	let at = 0;
	for (const line of lines) if (line === wanted[at]?.trim()) at++;
	return at === wanted.length;
}

/** Rules alone say nothing. */
const isSaying = (line: string) => /\p{L}/u.test(line);
const hasWords = (lines: string[]) => lines.some(isSaying);
const wordsOf = (blocks: Block[]) => ownOf(blocks).filter(isSaying);

test('every line that somebody wrote is kept, wherever quotations stand', async () => {
	await fc.assert(
		fc.asyncProperty(BLOCKS, fc.boolean(), async (blocks, hasHistory) => {
			const text = [...linesOf(blocks), ...(hasHistory ? HISTORY : [])].join('\n').trimEnd();
			const kept = await newText(text);
			if (hasWords(ownOf(blocks))) expect(holds(kept, wordsOf(blocks))).toBe(true);
			else if (ownOf(blocks).length === 0) expect(kept).toBe(text);
		}),
		{ numRuns: 600 },
	);
});

test('what is kept is a piece of the email, and never nothing', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.oneof(OWN, fc.string(), QUOTED.map(String))), async (lines) => {
			const text = lines.join('\n');
			const kept = await newText(text);
			expect(text).toContain(kept);
			expect(kept.trim() === '').toBe(text.trim() === '');
		}),
		{ numRuns: 300 },
	);
});

test('an answer that quotes nothing stays as it is', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.oneof(OWN, fc.constant(''))), async (lines) => {
			const text = lines.join('\n');
			expect(await newText(text)).toBe(text);
			const html = lines.map((line) => `<div>${line.replace(/[<>]/g, '+')}</div>`).join('');
			expect(await newHtml(html)).toBe(html);
		}),
		{ numRuns: 300 },
	);
});

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

const divisions = (lines: readonly string[]) =>
	lines.map((line) => `<div>${escaped(line) || '<br>'}</div>`).join('');

const htmlOf = (block: Block) =>
	'own' in block
		? `<div class="own">${divisions(block.own)}</div>`
		: `<div class="gmail_quote"><div class="gmail_attr">On Saturday Ada wrote:</div><blockquote class="gmail_quote">${divisions(block.old)}</blockquote></div>`;

/** The names of elements in the order in which they end, with those that end without having begun. */
function readBalance(html: string) {
	const open: string[] = [];
	let stray = 0;
	for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z]+)[^>]*>/g)) {
		if (name === 'br' || name === 'hr') continue;
		if (slash === '') open.push(name);
		else if (open.pop() !== name) stray++;
	}
	return { open: open.length, stray };
}

test('in HTML, too, and what was whole remains whole', async () => {
	await fc.assert(
		fc.asyncProperty(BLOCKS, fc.boolean(), async (blocks, hasHistory) => {
			const history = hasHistory ? `<hr><div id="divRplyFwdMsg">${divisions(HISTORY)}</div>` : '';
			const html = `<html><head><style>p{}</style></head><body><div>${blocks.map(htmlOf).join('<br>')}${history}</div></body></html>`;
			const kept = await newHtml(html);
			expect(readBalance(kept)).toEqual({ open: 0, stray: 0 });
			expect(kept).toContain('<style>p{}</style>');
			const text = kept
				.replace(/<[^>]+>/g, '\n')
				.replace(/&lt;/g, '<')
				.replace(/&amp;/g, '&');
			if (hasWords(ownOf(blocks))) expect(holds(text, wordsOf(blocks))).toBe(true);
			else if (ownOf(blocks).length === 0) expect(kept).toBe(html);
		}),
		{ numRuns: 300 },
	);
});
