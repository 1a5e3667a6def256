import type { INode } from 'n8n-workflow';

import {
	causeOf,
	FailureReports,
	toError,
	TookTooLong,
} from '../../../../nodes/EmailIdentity/trigger/state/failureReports';
import { failure } from '../delivery/support/requests';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let now: number;
let reports: FailureReports;

beforeEach(() => {
	now = DAY;
	reports = new FailureReports(false, () => now);
});

/** What is reported in each of so many minutes. */
const reported = (minutes: number) =>
	Array.from({ length: minutes }, () => {
		now += MINUTE;
		return reports.due()?.message;
	}).filter((message) => message !== undefined);

test.each([
	[401, 'key'],
	[403, 'key'],
	[400, 'webhook'],
	[499, 'webhook'],
	[404, undefined],
	[408, undefined],
	[425, undefined],
	[429, undefined],
	[500, undefined],
])('the status %s is a lasting failure of: %s', (status, cause) => {
	expect(causeOf(failure(status))).toBe(cause);
});

test('no answer may pass, and what is not about a request does not', () => {
	expect(causeOf(failure())).toBeUndefined();
	expect(causeOf(new TookTooLong())).toBeUndefined();
	expect(causeOf(new Error('No such identity'))).toBe('webhook');
});

test('the error names what happened, and its reason begins with a capital letter', () => {
	const node = { name: 'Mail' } as INode;
	const error = toError(node, { cause: 'identity', message: 'the identity is gone.' });
	expect(error).toMatchObject({ description: 'The identity is gone.', node });
	expect(error.message).toContain('receives no email');
});

test('a failure is reported once, when it has lasted for a minute', () => {
	reports.found('key', 'refused');
	expect(reported(1)).toEqual([]);
	reports.found('key', 'still refused');
	expect(reported(3 * 24 * 60)).toEqual(['still refused']);
});

test('a failure that passes within a minute is not reported', () => {
	reports.found('key', 'refused');
	reported(1);
	reports.passed();
	expect(reported(5)).toEqual([]);
});

test('another cause is reported when it has lasted for a minute itself', () => {
	reports.found('key', 'refused');
	reported(2);
	reports.found('webhook', 'paused');
	expect(reported(1)).toEqual([]);
	expect(reported(1)).toEqual(['paused']);
});

test('a failure that comes back is reported again, a day after it passed', () => {
	reports.found('key', 'refused');
	expect(reported(2)).toEqual(['refused']);
	reports.passed();
	reports.found('key', 'again');
	expect(reported(24 * 60 - 1)).toEqual([]);
	expect(reported(2)).toEqual(['again']);
});

test('what n8n finds at its start is reported a day later, unless it was right in between', () => {
	reports = new FailureReports(true, () => now);
	reports.found('key', 'refused');
	expect(reported(24 * 60 - 1)).toEqual([]);
	expect(reported(1)).toEqual(['refused']);
	reports = new FailureReports(true, () => now);
	reports.passed();
	reports.found('key', 'later');
	expect(reported(2)).toEqual(['later']);
});
