import { Checks, everyMinute } from '../../../../nodes/EmailIdentity/trigger/subscription/checks';
import type { Action } from '../../../../nodes/EmailIdentity/trigger/subscription/diff';
import { OwnWrites } from '../../../../nodes/EmailIdentity/trigger/subscription/ownWrites';
import { TestListening } from '../../../../nodes/EmailIdentity/trigger/subscription/testListening';

const MINUTE = 60_000;

describe('the check at intervals', () => {
	it('asks every minute, at a second of the node’s own', () => {
		const seconds = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) =>
			Number(everyMinute(key).split(' ')[0]),
		);
		expect(seconds.every((second) => second >= 0 && second < 60)).toBe(true);
		expect(new Set(seconds).size).toBeGreaterThan(3);
		expect(everyMinute('a')).toMatch(/^\d+ \* \* \* \* \*$/);
		expect(everyMinute('a')).toBe(everyMinute('a'));
	});

	it.each([
		[15, 14, false],
		[15, 15, true],
		[1, 1, true],
		[90, 89, false],
		[0, 10_000, false],
	])('every %d minutes is due after %d: %s', (checkEvery, minutes, isDue) => {
		expect(new Checks(checkEvery, 0).begin(minutes * MINUTE)).toBe(isDue);
	});

	const resume: Action = { kind: 'update', id: 'a', changes: { enabled: true } };
	const correct: Action = { kind: 'update', id: 'a', changes: { events: [] } };
	const found = (...needed: Action[]) => ({ needed, done: [], refused: [] });
	/** Checks that have just mended something. */
	const afterMending = (action: Action) => {
		const checks = new Checks(15, 0);
		checks.looked(found(action), 0);
		checks.looked({ ...found(action), done: checks.approve([action]) }, 0);
		return checks;
	};

	it('mends what is found twice, a minute apart', () => {
		const checks = new Checks(15, 0);
		expect(checks.approve([resume])).toEqual([]);
		checks.looked(found(resume), 20 * MINUTE);
		expect(checks.begin(21 * MINUTE)).toBe(true);
		expect(checks.approve([resume])).toEqual([resume]);
		checks.looked({ ...found(resume), done: [resume] }, 21 * MINUTE);
		expect(checks.begin(22 * MINUTE)).toBe(true);
		checks.looked(found(), 22 * MINUTE);
		expect(checks.begin(36 * MINUTE)).toBe(false);
		expect(checks.begin(37 * MINUTE)).toBe(true);
	});

	it('tells what does not stick once, leaves it alone, and goes on with the rest', () => {
		const checks = afterMending(resume);
		expect(checks.looked(found(resume, correct), 0)).toEqual([resume]);
		expect(checks.approve([resume, correct])).toEqual([correct]);
		expect(checks.looked({ ...found(resume, correct), done: [correct] }, 0)).toEqual([]);
		expect(checks.looked(found(resume), 0)).toEqual([]);
		expect(checks.approve([resume])).toEqual([]);
	});

	it('mends again once everything was right', () => {
		const checks = afterMending(resume);
		checks.looked(found(), 0);
		expect(checks.looked(found(resume), 0)).toEqual([]);
		expect(checks.approve([resume])).toEqual([resume]);
	});

	it('does not try again what was refused, and says no more of it', () => {
		const checks = new Checks(15, 0);
		checks.looked(found(resume), 0);
		checks.looked({ ...found(resume), refused: [resume] }, 0);
		expect(checks.looked(found(resume), 0)).toEqual([]);
		expect(checks.approve([resume])).toEqual([]);
	});

	it('after a failure comes a minute later, and then at the usual interval', () => {
		const checks = new Checks(15, 0);
		expect(checks.begin(15 * MINUTE)).toBe(true);
		checks.failed(15 * MINUTE);
		expect(checks.begin(16 * MINUTE)).toBe(true);
		checks.failed(16 * MINUTE);
		expect(checks.begin(17 * MINUTE)).toBe(false);
		expect(checks.begin(31 * MINUTE)).toBe(true);
	});
});

describe('a test subscription', () => {
	const test = { webhook: { id: 'a' }, webhookPath: 'path' } as Parameters<
		TestListening['isLeftBehind']
	>[0];

	it.each([
		['that nobody here listens for, at a start', false, true, 0, true],
		['that nobody here listens for, first seen just now', false, false, 0, false],
		['that nobody here listens for, first seen half an hour ago', false, false, 31, true],
		['that is listened for, at a start', true, true, 0, false],
		['that is listened for', true, false, 29, false],
		['that was listened for too long', true, false, 31, true],
	])('%s', (_, isListening, isStarting, minutes, isLeft) => {
		let now = 0;
		const listening = new TestListening(() => now);
		if (isListening) listening.begin('path');
		listening.isLeftBehind(test, false);
		now = minutes * MINUTE;
		expect(listening.isLeftBehind(test, isStarting)).toBe(isLeft);
	});

	it('whose listening ended is left behind at a start', () => {
		const listening = new TestListening(() => 0);
		listening.begin('path');
		listening.end('path');
		expect(listening.isLeftBehind(test, true)).toBe(true);
	});
});

describe('a creation whose answer was lost', () => {
	it('is awaited for half an hour, and each time twice as long, to a day', () => {
		const ownWrites = new OwnWrites();
		expect(ownWrites.awaitedUntil()).toBe(-Infinity);
		const minutes = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(() => {
			ownWrites.lostCreation(0);
			return ownWrites.awaitedUntil() / MINUTE;
		});
		expect(minutes).toEqual([30, 60, 120, 240, 480, 960, 1920, 1920, 1920]);
	});

	it('is awaited no more once something was written', () => {
		const ownWrites = new OwnWrites();
		ownWrites.lostCreation(0);
		ownWrites.wrote('a', {});
		expect(ownWrites.awaitedUntil()).toBe(-Infinity);
	});
});
