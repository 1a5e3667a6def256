import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readOrigin } from '../../../nodes/EmailIdentity/email';
import { openEmail } from '../../reading';

const unknown = () => ({});

const emailOf = (header: string) => `${header.replaceAll('\n', '\r\n')}\r\n\r\nHello\r\n`;

/** Headers as mailers of all kinds write them, in the shape of real ones: `# kind: what writes it`, then the header. */
const samples = readFileSync(join(__dirname, 'automaticMail.txt'), 'utf8')
	.split(/\n(?=# )/)
	.map((sample) => {
		const [, kind = '', what = '', header = ''] = /^# (\w+): (.*)\n([^]*)/.exec(sample) ?? [];
		return { is: kind === 'ordinary' ? null : kind, what, header: header.trim() };
	});

test.each(samples)('$is: $what', async ({ is, header }) => {
	const email = emailOf(header);
	expect((await readOrigin(email, unknown)).automatic).toBe(is);
	expect((await openEmail(email)).automatic).toBe(is);
});

test('of a repeated field the topmost counts, which the last server wrote', async () => {
	const email = emailOf('Return-Path: <ada@example.com>\nReturn-Path: <>\nFrom: ada@example.com');
	const { automatic, topmost } = await readOrigin(email, unknown);
	expect([automatic, topmost('return-path')]).toEqual([null, '<ada@example.com>']);
});

test('what the text says is no header', async () => {
	const email = emailOf('From: ada@example.com\nSubject: Hi');
	const origin = await readOrigin(`${email}Auto-Submitted: auto-replied\r\n`, unknown);
	expect(origin.automatic).toBeNull();
});

test('where the raw email is missing, the headers that the service reports are looked at', async () => {
	const headers = [
		{ key: 'auto-submitted', value: 'auto-replied' },
		{ key: 'from', value: 'ada@example.com' },
	];
	expect((await readOrigin('', () => ({ headers }))).automatic).toBe('reply');
	expect((await openEmail('', () => ({ headers }))).automatic).toBe('reply');
	expect((await readOrigin(undefined, unknown)).automatic).toBeNull();
});

test('a fault in what the service reports does not make it fail', async () => {
	const known = () => {
		throw new Error('no');
	};
	expect((await readOrigin('', known)).automatic).toBeNull();
});
