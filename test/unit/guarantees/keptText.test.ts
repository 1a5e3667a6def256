import * as fc from 'fast-check';

import { Pace } from '../../../lib/basics';
import { newReading } from '../../support/reading';
import { REPLY } from '../lib/email/reply/support/cases';
import { newTextOf } from '../lib/email/reply/support/newText';
import '../../support/propertySeed';

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

test('every line of the author is kept, wherever quotations stand', async () => {
	await fc.assert(
		fc.asyncProperty(BLOCKS, fc.boolean(), async (blocks, hasHistory) => {
			const text = [...linesOf(blocks), ...(hasHistory ? HISTORY : [])].join('\n').trimEnd();
			const kept = await newTextOf(text);
			if (hasWords(ownOf(blocks))) expect(holds(kept, wordsOf(blocks))).toBe(true);
			else if (ownOf(blocks).length === 0) expect(kept).toBe(text);
		}),
		{ numRuns: 600 },
	);
});

test('any text keeps some of its lines, and gets no others', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.oneof(OWN, fc.string(), QUOTED.map(String))), async (lines) => {
			const text = lines.join('\n');
			const kept = await newTextOf(text);
			expect(kept.trim() === '').toBe(text.trim() === '');
			expect(kept.length).toBeLessThanOrEqual(text.length);
			for (const line of kept.split('\n')) expect(text).toContain(line);
		}),
		{ numRuns: 300 },
	);
});

test('a reply that quotes nothing stays as it is', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.oneof(OWN, fc.constant(''))), async (lines) => {
			const text = lines.join('\n');
			expect(await newTextOf(text)).toBe(text);
		}),
		{ numRuns: 300 },
	);
});

test('a text of more lines than any reply stays as it is', async () => {
	const reading = newReading();
	const limits = { ...reading.limits, replyLines: 5 };
	const reply = (lines: number) =>
		`Yes.\n\nOn 21/11/2026 10:02, Ada wrote:\n${'> x\n'.repeat(lines)}`;
	expect(await newTextOf(reply(1), REPLY, { ...reading, limits })).toBe('Yes.');
	expect(await newTextOf(reply(2), REPLY, { ...reading, limits })).toBe(reply(2));
});

test('a long reply is read in turns', async () => {
	const turn = jest.fn(async () => {});
	const text = `Yes.\n\n${'> x\n'.repeat(20_000)}`;
	await newTextOf(text, REPLY, { ...newReading(), pace: new Pace(turn) });
	expect(turn.mock.calls.length).toBeGreaterThan(5);
});
