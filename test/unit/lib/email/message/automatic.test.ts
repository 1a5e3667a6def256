import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { AUTOMATIC_RULES, automaticRuleOf } from '../../../../../lib/email/message/automatic';
import { openEmail } from '../../../../support/reading';
import { readCorpus } from '../../../guarantees/support/corpus';

const emailOf = (header: string) => `${header.replaceAll('\n', '\r\n')}\r\n\r\nHello\r\n`;

/** Headers as mailers of all kinds write them, in the shape of real ones: `# kind: what writes it`, then the header. */
const samples = readFileSync(join(__dirname, 'automaticMail.txt'), 'utf8')
	.split(/\n(?=# )/)
	.map((sample) => {
		const [, kind = '', what = '', header = ''] = /^# (\w+): (.*)\n([^]*)/.exec(sample) ?? [];
		return { is: kind === 'ordinary' ? null : kind, what, header: header.trim() };
	});

test.each(samples)('$is: $what', async ({ is, header }) => {
	expect((await openEmail(emailOf(header))).automatic).toBe(is);
});

test.each(AUTOMATIC_RULES)(
	'the sample of the rule $source is recognized by no rule above it',
	(rule) => {
		const fields = rule.sample.split('\n').map((line) => {
			const [name = '', ...value] = line.split(':');
			return [name.toLowerCase(), value.join(':').trim()] as const;
		});
		expect(automaticRuleOf(new Map(fields))).toBe(rule);
	},
);

test("Gmail's emoji reaction to an email is a reaction, also if a mailing list sent it", async () => {
	const rawEmail = readCorpus('gmail-reaction.eml');
	expect((await openEmail(rawEmail)).automatic).toBe('reaction');
	expect((await openEmail(`List-Id: <dev.b.c>\r\n${rawEmail}`)).automatic).toBe('reaction');
});

test('a part with the disposition of a reaction (RFC 9078) makes the email a reaction', async () => {
	const email = 'From: ada@example.com\nIn-Reply-To: <one@b.c>\nContent-Disposition: reaction';
	expect((await openEmail(emailOf(email))).automatic).toBe('reaction');
});

test('the topmost of repeated fields counts, which the last server wrote', async () => {
	const email = emailOf('Return-Path: <ada@example.com>\nReturn-Path: <>\nFrom: ada@example.com');
	const { automatic, topmost } = await openEmail(email);
	expect([automatic, topmost('return-path')]).toEqual([null, '<ada@example.com>']);
});

test('a header line in the text makes no email automatic', async () => {
	const email = emailOf('From: ada@example.com\nSubject: Hi');
	const { automatic } = await openEmail(`${email}Auto-Submitted: auto-replied\r\n`);
	expect(automatic).toBeNull();
});

test('without a raw email, the headers that the service reports count', async () => {
	const headers = [{ key: 'auto-submitted', value: 'auto-replied' }];
	expect((await openEmail('', () => ({ headers }))).automatic).toBe('reply');
	expect((await openEmail(undefined)).automatic).toBeNull();
});
