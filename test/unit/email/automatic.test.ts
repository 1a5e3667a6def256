import { readOrigin } from '../../../nodes/EmailIdentity/email';
import { openEmail } from '../../reading';
import { samples } from './automaticMail';

const unknown = () => ({});

const emailOf = (header: string) => `${header.replaceAll('\n', '\r\n')}\r\n\r\nHello\r\n`;

test.each(samples)('$is: $what', async ({ is, header }) => {
	const email = emailOf(header);
	expect((await readOrigin(email, unknown)).automatic).toBe(is);
	expect((await openEmail(email)).automatic).toBe(is);
});

test('there are many mailers of every kind', () => {
	const count = (kind: unknown) => samples.filter(({ is }) => is === kind).length;
	expect(samples.length).toBeGreaterThanOrEqual(80);
	expect(Math.min(...['reply', 'bounce', 'report', 'list', null].map(count))).toBeGreaterThan(9);
});

test('of a repeated field the topmost counts, which the last server wrote', async () => {
	const email = emailOf('Return-Path: <ada@example.com>\nReturn-Path: <>\nFrom: ada@example.com');
	const { automatic, topmost } = await readOrigin(email, unknown);
	expect([automatic, topmost('return-path')]).toEqual([null, '<ada@example.com>']);
});

test('what the text or a part says is no header', async () => {
	const email = emailOf('From: ada@example.com\nSubject: Hi');
	const origin = await readOrigin(`${email}Auto-Submitted: auto-replied\r\n`, unknown);
	expect(origin.automatic).toBeNull();
});

test('where the raw email is missing, the headers that the service tells are looked at', async () => {
	const headers = [
		{ key: 'auto-submitted', value: 'auto-replied' },
		{ key: 'from', value: 'ada@example.com' },
	];
	expect((await readOrigin('', () => ({ headers }))).automatic).toBe('reply');
	expect((await openEmail('', () => ({ headers }))).automatic).toBe('reply');
	expect((await readOrigin(undefined, unknown)).automatic).toBeNull();
});

test('nothing that a stranger writes makes it fail', async () => {
	const hostile = [
		`Subject: ${'=?utf-8?Q?A_?= '.repeat(50_000)}\r\n\r\n`,
		`Content-Type: multipart/report; ${'report-type*1=a; '.repeat(50_000)}\r\n\r\n`,
		`From: ${'<'.repeat(500_000)}\r\n\r\n`,
		`${'Auto-Submitted: auto-replied\r\n'.repeat(20_000)}`,
		'\0'.repeat(1_000_000),
	];
	for (const email of hostile) {
		const { automatic } = await readOrigin(email, unknown);
		expect([null, 'reply', 'report']).toContain(automatic);
	}
	expect(
		(
			await readOrigin('', () => {
				throw new Error('no');
			})
		).automatic,
	).toBeNull();
});
