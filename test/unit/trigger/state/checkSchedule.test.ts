import {
	CheckSchedule,
	everyMinute,
} from '../../../../nodes/EmailIdentity/trigger/state/checkSchedule';
import type { Action } from '../../../../nodes/EmailIdentity/trigger/webhooks/plan';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let now: number;
let checks: CheckSchedule;

beforeEach(() => {
	now = 5 * MINUTE;
	checks = new CheckSchedule(15 * MINUTE, () => now);
});

/** Whether a check is due after a pause. */
const isDueAfter = (milliseconds: number) => {
	now += milliseconds;
	return checks.begin(false);
};

const update = (changes: object): Action => ({ kind: 'update', id: 'w-1', changes }) as Action;

const PAUSED = update({ enabled: true });
const UNRESTRICTED = update({ identityId: 'i-1' });

/** A check that finds differences. @returns the repairs that it made, and those that it reports to have no effect */
function check(...needed: Action[]) {
	const repaired = checks.approve(needed);
	return { repaired, futile: checks.noteDifferences(needed) };
}

test('the seconds of a minute are shared by the nodes of an n8n', () => {
	const second = (bytes: number[]) => everyMinute(Buffer.from(bytes).toString('base64url'));
	expect(second([0, 7, 1])).toBe('7 * * * * *');
	expect(second([0, 61, 1])).toBe('1 * * * * *');
});

test('a check is due after the interval, or up to half a minute earlier, and only once', () => {
	expect(isDueAfter(14 * MINUTE + 29 * SECOND)).toBe(false);
	expect(isDueAfter(SECOND)).toBe(true);
	expect(isDueAfter(14 * MINUTE)).toBe(false);
	expect(isDueAfter(MINUTE)).toBe(true);
});

test('without an interval, only a delivery that found the restriction lost starts a check, at most once a minute', () => {
	checks = new CheckSchedule(0, () => now);
	expect(isDueAfter(1_000 * MINUTE)).toBe(false);
	expect(checks.begin(true)).toBe(true);
	now += 59 * SECOND;
	expect(checks.begin(true)).toBe(false);
	now += SECOND;
	expect(checks.begin(true)).toBe(true);
});

test('a difference is repaired when a second check finds it again, and reported once if it comes back', () => {
	expect(check(PAUSED)).toEqual({ repaired: [], futile: [] });
	expect(isDueAfter(MINUTE)).toBe(true);
	expect(check(PAUSED)).toEqual({ repaired: [PAUSED], futile: [] });
	expect(isDueAfter(MINUTE)).toBe(true);
	expect(check(PAUSED)).toEqual({ repaired: [], futile: [PAUSED] });
	expect(isDueAfter(MINUTE)).toBe(false);
	expect(isDueAfter(14 * MINUTE)).toBe(true);
	expect(check(PAUSED)).toEqual({ repaired: [], futile: [] });
});

test('a difference that passed in between counts as a new one', () => {
	check(PAUSED);
	check();
	expect(check(PAUSED)).toEqual({ repaired: [], futile: [] });
	expect(check(PAUSED)).toEqual({ repaired: [PAUSED], futile: [] });
});

test('a lost restriction of an enabled subscription is repaired at once, one of a paused one later', () => {
	expect(check(UNRESTRICTED)).toEqual({ repaired: [UNRESTRICTED], futile: [] });
	expect(isDueAfter(MINUTE)).toBe(true);
	expect(check(UNRESTRICTED)).toEqual({ repaired: [], futile: [UNRESTRICTED] });
	const both = update({ identityId: 'i-1', enabled: true });
	expect(check(both).repaired).toEqual([]);
	const lifted = update({ identityId: null });
	expect(check(lifted).repaired).toEqual([]);
});

test('after a failed check, another one follows a minute later, then only after the interval', () => {
	expect(isDueAfter(15 * MINUTE)).toBe(true);
	checks.failed();
	expect(isDueAfter(MINUTE)).toBe(true);
	checks.failed();
	expect(isDueAfter(MINUTE)).toBe(false);
	expect(isDueAfter(14 * MINUTE)).toBe(true);
	check();
	checks.failed();
	expect(isDueAfter(MINUTE)).toBe(true);
});
