import { createHash } from 'node:crypto';

import {
	KEY_LENGTH,
	SeenMessages,
} from '../../../../../nodes/EmailIdentity/trigger/delivery/memory/seenMessages';
import type { StoredMessages } from '../../../../../nodes/EmailIdentity/trigger/staticData';

afterEach(() => {
	jest.restoreAllMocks();
});

const digest = (name: string | number) =>
	createHash('sha256').update(String(name)).digest('base64url').slice(0, KEY_LENGTH);

const NOW = Date.UTC(2026, 10, 21);
const MINUTES = 60_000;

const windowWith = (names: Array<string | number>, now = NOW, size = 10) => {
	const window = new SeenMessages(size);
	for (const name of names) window.add(digest(name), now);
	return window;
};

const knows = (window: SeenMessages, ...names: Array<string | number>) =>
	names.filter((name) => window.hasAny([digest(name)]));

const TOO_LONG = { 490_000: 'y'.repeat(200_000) };

test('static data that were not written by this node count as empty', () => {
	const others = [{ 1: 'short' }, { now: 'x'.repeat(8) }, { 1: 7, 2: null }];
	for (const text of [undefined, 7, {}, '', 'nonsense', [], ...others, TOO_LONG]) {
		const window = windowWith(['one']);

		expect(window.merge(text)).toBe(true);
		expect(knows(window, 'one')).toEqual(['one']);
	}
});

test('static data have the newest messages, however many come, and also after the clock went back', () => {
	const window = new SeenMessages(100);
	for (let index = 0; index < 5000; index++) window.add(digest(index), NOW + index * MINUTES);
	window.add(digest('clock set back'), NOW);
	jest.spyOn(Date, 'now').mockReturnValue(NOW + 6000 * MINUTES);
	const kept = windowWith(['newer'], NOW + 6000 * MINUTES, 100);
	kept.merge(window.toJSON());
	const newest = Array.from({ length: 98 }, (_, index) => 4902 + index);

	expect(knows(kept, ...newest, 'clock set back', 'newer')).toHaveLength(100);
	expect(knows(kept, 0, 4901)).toEqual([]);
	expect(JSON.stringify(window).length).toBeLessThan(900);
});

test('an earlier state of the same memory has nothing new, and lacks later keys', () => {
	const window = windowWith(['one']);
	const earlier = window.toJSON();
	window.add(digest('two'), NOW);

	expect(window.merge(earlier)).toBe(true);
	expect(knows(window, 'one', 'two')).toEqual(['one', 'two']);
});

test('an earlier state of a full memory brings nothing back that was forgotten, and lacks later keys', () => {
	const window = windowWith([1, 2, 3, 4], NOW, 4);
	const earlier = window.toJSON();
	for (const name of [5, 6]) window.add(digest(name), NOW + 90 * MINUTES);

	expect(window.merge(earlier)).toBe(true);
	expect(knows(window, 1, 2, 3, 4, 5, 6)).toEqual([3, 4, 5, 6]);
	const hour = NOW / (60 * MINUTES);
	expect(window.toJSON()).toEqual({
		[hour]: digest(3) + digest(4),
		[hour + 1]: digest(5) + digest(6),
	});
});

test('two processes that overwrite each other notice it and end with the same data', () => {
	const first = new SeenMessages(50);
	const second = new SeenMessages(50);
	let stored: StoredMessages = {};
	jest.spyOn(Date, 'now').mockReturnValue(NOW + 400 * MINUTES);
	for (let index = 0; index < 400; index++) {
		const window = index % 3 === 0 ? first : second;
		window.merge(stored);
		window.add(digest(index), NOW + index * MINUTES);
		stored = structuredClone(window.toJSON());
	}
	const newest = Array.from({ length: 50 }, (_, index) => 350 + index);

	expect(second.merge(first.toJSON())).toBe(true);
	expect(first.merge(second.toJSON())).toBe(false);
	expect(second.merge(first.toJSON())).toBe(false);
	expect(knows(first, ...newest)).toEqual(newest);
	expect(knows(second, ...newest)).toEqual(newest);
});

test('keys that another process stored earlier in the same hour replace nothing newer', () => {
	const first = new SeenMessages(100);
	const second = new SeenMessages(100);
	for (let index = 0; index < 120; index++) first.add(digest(index), NOW);
	second.merge(first.toJSON());
	second.add(digest('of the other'), NOW);
	for (let index = 120; index < 150; index++) first.add(digest(index), NOW);
	first.merge(second.toJSON());
	const newest = Array.from({ length: 99 }, (_, index) => 51 + index);

	expect(knows(first, ...newest, 'of the other')).toEqual([...newest, 'of the other']);
});

test('keys that a process with a fast clock stored replace nothing newer', () => {
	jest.spyOn(Date, 'now').mockReturnValue(NOW);
	const ahead = windowWith([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], NOW + 600 * MINUTES);
	const window = windowWith(['one', 'two']);
	window.merge(ahead.toJSON());

	expect(knows(window, 'one', 'two')).toEqual(['one', 'two']);
});
