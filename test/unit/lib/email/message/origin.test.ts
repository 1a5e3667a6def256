import { toRecipient } from '../../../../../lib/email';
import { openEmail } from '../../../../support/reading';

const deliveredTo = async (...header: string[]) =>
	(await openEmail(['Subject: Hi', ...header, '', 'Text'].join('\r\n'))).deliveredTo();

const received = (clause: string) =>
	`Received: from mx.example.net (mx.example.net [192.0.2.1])\r\n\tby mail.example.com with ESMTPS id 4711${clause};\r\n\tSat, 21 Nov 2026 10:00:00 +0000`;

const EVES = 'Delivered-To: eve@evil.example';
const SALES = 'sales@example.com';

test.each<[string, string[], string | null]>([
	['Delivered-To', [`Delivered-To: ${SALES}`], SALES],
	['X-Original-To', [`X-Original-To: ${SALES}`], SALES],
	['Envelope-To', [`Envelope-To: <${SALES}>`], SALES],
	['a Received', [received(` for <${SALES}>`)], SALES],
	['a Received without brackets', [received(` for ${SALES}`)], SALES],
	['its capitals', ['Delivered-To: Sales+Orders@EXAMPLE.com'], 'Sales+Orders@example.com'],
	['Delivered-To before X-Original-To', ['X-Original-To: b@b.c', `Delivered-To: ${SALES}`], SALES],
	['the topmost of two', [`Delivered-To: ${SALES}`, EVES], SALES],
	['what the last server wrote', [`Envelope-To: ${SALES}`, received(''), EVES], SALES],
	['the last Received before what came with it', [received(` for <${SALES}>`), EVES], SALES],
	['one further down', [received(''), received(` for <${SALES}>`)], SALES],
	['words that are none', ['Delivered-To: mailing list', received(` for <${SALES}>`)], SALES],
	['a comment that says for', [received(' (for <eve@evil.example>)')], null],
	['several recipients', [received(' for <a@b.c>, <d@e.f>')], null],
	['To alone', [`To: ${SALES}`], null],
	['a line break within', ['Delivered-To: =?utf-8?Q?a=40b=0D=0A?='], null],
])('the recipient by %s', async (_name, header, expected) => {
	expect(await deliveredTo(...header)).toBe(expected);
});

test('without a raw email, the recipient is in the headers that the service reports', async () => {
	const headers = [{ key: 'delivered-to', value: SALES }];
	expect((await openEmail('', () => ({ headers }))).deliveredTo()).toBe(SALES);
});

test.each(['', '@', 'a@', '@b.c', 'a b@c.d', 'a@b.c, d@e.f', `${'x'.repeat(320)}@b.c`])(
	'%j is no recipient',
	(text) => {
		expect(toRecipient(text)).toBeNull();
	},
);

test('a field makes an email automatic only if the email has it and it says so', async () => {
	const bounce = 'From: MAILER-DAEMON@a.b\r\nSubject: Undeliverable: Hi\r\n\r\nText';
	const { automatic, isAutomaticBy } = await openEmail(bounce);
	expect(automatic).toBe('bounce');
	expect(isAutomaticBy(['from', 'x-failed-recipients'])).toBe(true);
	expect(isAutomaticBy(['subject', 'x-failed-recipients'])).toBe(false);
});
