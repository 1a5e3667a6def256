import fc from 'fast-check';
import { toIsoTime } from '../../../nodes/EmailIdentity/api/timestamps';

test.each([
	['2025-11-15 10:47:23.60418+00', '2025-11-15T10:47:23.604Z'],
	['2025-11-15 10:47:23+00', '2025-11-15T10:47:23.000Z'],
	['2025-11-15 10:47:23.6+02', '2025-11-15T08:47:23.600Z'],
	['2025-11-15 10:47:23.6+0530', '2025-11-15T05:17:23.600Z'],
	['2025-11-15 10:47:23.6-03:30', '2025-11-15T14:17:23.600Z'],
	['2025-11-15 10:47:23', '2025-11-15T10:47:23.000Z'],
	['2026-11-21T08:40:51.391Z', '2026-11-21T08:40:51.391Z'],
	['2026-11-21t08:40:51z', '2026-11-21T08:40:51.000Z'],
])('%s is %s', (sent, expected) => {
	expect(toIsoTime(sent)).toBe(expected);
});

test.each([
	[1_763_203_643, '2025-11-15T10:47:23.000Z'],
	[1_763_203_643.604, '2025-11-15T10:47:23.604Z'],
	[1_763_203_643_604, '2025-11-15T10:47:23.604Z'],
	[1_763_203_643_604_180, '2025-11-15T10:47:23.604Z'],
	['1763203643', '2025-11-15T10:47:23.000Z'],
	[' 1763203643604 ', '2025-11-15T10:47:23.604Z'],
	['1763203643.604', '2025-11-15T10:47:23.604Z'],
])('the epoch time %p is %s', (sent, expected) => {
	expect(toIsoTime(sent)).toBe(expected);
});

test.each([0, 7, -1, 20_251_115, 1e21])('the number %p is no time, and stays', (sent) => {
	expect(toIsoTime(sent)).toBe(String(sent));
});

test.each([null, undefined, '', '  '])('%p is no time', (sent) => {
	expect(toIsoTime(sent)).toBeNull();
});

test.each(['yesterday', '2025-13-45 10:47:23+00'])('%s stays as it is', (sent) => {
	expect(toIsoTime(sent)).toBe(sent);
});

test('any moment, written in any offset and precision, is the same moment in ISO 8601', () => {
	const moment = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
	const offsetHours = fc.integer({ min: -12, max: 14 });
	const noise = fc.stringMatching(/^[0-9]{0,6}$/);
	fc.assert(
		fc.property(moment, offsetHours, noise, (date, hours, furtherDigits) => {
			const local = new Date(date.getTime() + hours * 3_600_000).toISOString();
			const offset = `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}`;
			const sent = `${local.replace('T', ' ').replace('Z', '')}${furtherDigits}${offset}`;
			expect(toIsoTime(sent)).toBe(date.toISOString());
		}),
	);
});
