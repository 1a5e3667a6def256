import { createHash } from 'node:crypto';

import { KEY_LENGTH, SeenWindow } from '../../../../nodes/EmailIdentity/trigger/delivery/onceOnly';

const digest = (name: string | number) =>
	createHash('sha256').update(String(name)).digest('base64url').slice(0, KEY_LENGTH);

const NOW = Date.UTC(2026, 10, 21);
const MINUTES = 60_000;

const windowWith = (writer: string, names: Array<string | number>, now = NOW, size = 10) => {
	const window = new SeenWindow(writer, size);
	for (const name of names) window.add(digest(name), now);
	return window;
};

const knows = (window: SeenWindow, ...names: Array<string | number>) =>
	names.filter((name) => window.has(digest(name)));

test('knows what was added, and nothing else', () => {
	const window = windowWith('a', ['one', 'two']);

	expect(knows(window, 'one', 'two', 'three')).toEqual(['one', 'two']);
});

test('what one process stored, the next one knows', () => {
	const next = new SeenWindow('b', 10);
	const lacks = next.merge(windowWith('a', ['one', 'two']).toString());

	expect(lacks).toBe(false);
	expect(knows(next, 'one', 'two')).toEqual(['one', 'two']);
});

test.each([
	undefined,
	null,
	7,
	{},
	'',
	'nonsense',
	'2.a.too-short',
	'1.a.',
	`2.a.${'x'.repeat(13)}`,
])('static data that hold %j count as empty', (text) => {
	const window = windowWith('b', ['one']);

	expect(window.merge(text)).toBe(true);
	expect(knows(window, 'one')).toEqual(['one']);
});

test('storing takes no more than the window, however many messages come', () => {
	const window = new SeenWindow('a', 1_000);
	const stored = (count: number) => {
		for (let index = 0; index < count; index++) window.add(digest(`${count}-${index}`), NOW);
		return window.toString().length;
	};

	expect(stored(1_000)).toBeGreaterThan(10_000);
	expect(Math.max(stored(5_000), stored(20_000))).toBeLessThan(20_000);
});

test('the newest of a full window are kept, whatever their order', () => {
	const window = new SeenWindow('a', 100);
	for (let index = 0; index < 500; index++) window.add(digest(index), NOW + index * MINUTES);
	window.add(digest('late, but old'), NOW);
	const kept = new SeenWindow('b', 100);
	kept.merge(window.toString());

	expect(knows(kept, ...Array.from({ length: 100 }, (_, index) => 400 + index))).toHaveLength(100);
	expect(knows(kept, 'late, but old', 0, 100, 399)).toEqual([]);
});

test('its own earlier writing tells it nothing new, and lacks what was added since', () => {
	const window = windowWith('a', ['one']);
	const earlier = window.toString();
	window.add(digest('two'), NOW);

	expect(window.merge(earlier)).toBe(true);
	expect(knows(window, 'one', 'two')).toEqual(['one', 'two']);
});

test('it is told when another process overwrote what it had stored', () => {
	const window = windowWith('a', ['one', 'two']);

	expect(window.merge(windowWith('b', ['one']).toString())).toBe(true);
	expect(window.merge(windowWith('b', ['one', 'two', 'three']).toString())).toBe(false);
	expect(knows(window, 'three')).toEqual(['three']);
});

test('two processes that keep overwriting each other come to store the same', () => {
	const first = new SeenWindow('a', 50);
	const second = new SeenWindow('b', 50);
	let stored = '';
	for (let index = 0; index < 400; index++) {
		const window = index % 3 === 0 ? first : second;
		window.merge(stored);
		window.add(digest(index), NOW + index * MINUTES);
		stored = window.toString();
	}
	first.merge(second.toString());
	second.merge(first.toString());
	const newest = Array.from({ length: 50 }, (_, index) => 350 + index);

	expect(first.merge(second.toString())).toBe(false);
	expect(second.merge(first.toString())).toBe(false);
	expect(knows(first, ...newest)).toEqual(newest);
	expect(knows(second, ...newest)).toEqual(newest);
});
