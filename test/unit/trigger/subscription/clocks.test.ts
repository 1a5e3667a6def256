import {
	everyMinute,
	nextCheckAt,
} from '../../../../nodes/EmailIdentity/trigger/subscription/checkSchedule';
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
		expect(minutes * MINUTE >= nextCheckAt(0, checkEvery)).toBe(isDue);
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
