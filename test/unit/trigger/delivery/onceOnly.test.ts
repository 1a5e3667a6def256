import { createHash } from 'node:crypto';

import * as fc from 'fast-check';

import { createDeliveryMemory } from '../../../../nodes/EmailIdentity/trigger/delivery/deliveryHost';
import {
	KEY_LENGTH,
	OnceOnly,
	SeenMessages,
} from '../../../../nodes/EmailIdentity/trigger/delivery/onceOnly';
import type { StoredMessages } from '../../../../nodes/EmailIdentity/trigger/staticData';
import { keysOf } from '../../../../nodes/EmailIdentity/trigger/delivery/repeats';
import { answerTo, checking, emailWith, outcomeOf } from './support/requests';
import '../../../support/propertySeed';

afterEach(() => {
	jest.restoreAllMocks();
});

const FOREVER = new Promise<number>(() => undefined);

interface Told {
	id: string | null;
	rawEmail: string;
	messageId: string | null;
}

const pause = async () => await Promise.resolve();

const keys = async ({ id, rawEmail, messageId }: Told) =>
	await keysOf({ id, rawEmail, message: {} }, messageId, pause);

/** Few values, so that many are equal. Some look like another kind of key. */
const told: fc.Arbitrary<Told> = fc.record({
	id: fc.constantFrom(null, '1', '2', 'email:A', '<a@example.com>'),
	rawEmail: fc.constantFrom('', 'A', 'B', '1', '<a@example.com>'),
	messageId: fc.constantFrom(null, '', '<a@example.com>', '<b@example.com>', '1'),
});

test('messages are the same if they share the ID, the Message-ID or, without one, the bytes', async () => {
	const hasBytes = ({ messageId, rawEmail }: Told) => !messageId && rawEmail !== '';
	await fc.assert(
		fc.asyncProperty(told, told, async (one, other) => {
			const expected =
				(one.id !== null && one.id === other.id) ||
				(!!one.messageId && one.messageId === other.messageId) ||
				(hasBytes(one) && hasBytes(other) && one.rawEmail === other.rawEmail);
			const [ofOne, ofOther] = [await keys(one), await keys(other)];

			expect(ofOne.some((key) => ofOther.includes(key))).toBe(expected);
			expect(ofOne.map((key) => key.length)).toEqual(ofOne.map(() => KEY_LENGTH));
		}),
		{ numRuns: 1000 },
	);
});

test('a long email is hashed in pieces, with the key of the whole', async () => {
	const pauses = jest.fn(pause);
	const rawEmail = `${'a'.repeat(999_999)}\u{1f600}${'b'.repeat(1000)}`;

	expect(await keysOf({ id: null, rawEmail, message: {} }, null, pauses)).toEqual([
		digest(`email:${rawEmail}`),
	]);
	expect(pauses).toHaveBeenCalledTimes(1);
});

test('a webhook keeps its memory until it is the one unused for longest, and while a delivery is under way', async () => {
	const memory = new OnceOnly();
	const [old, busy] = [memory.of('old'), memory.of('busy')];
	await busy.claim(['12345678'], FOREVER);
	expect(memory.of('old')).toBe(old);
	for (let index = 0; index < 60; index++) memory.of(`webhook ${index}`);

	expect(memory.of('old')).not.toBe(old);
	expect(memory.of('busy')).toBe(busy);
});

test('a message that was never answered can be claimed again after a minute', async () => {
	const messages = new SeenMessages();
	await messages.claim(['12345678'], Promise.resolve(undefined));
	await Promise.resolve();
	expect(await messages.claim(['12345678'], FOREVER)).toBe('doubtful');
	jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000);
	expect(await messages.claim(['12345678'], FOREVER)).toHaveProperty('accept');
});

test('a message that could not be processed is not remembered, whatever n8n answers', async () => {
	const told = {
		memory: createDeliveryMemory(),
		message: { id: 'm-1' },
		parameters: { includeRawEmail: true },
	};
	let answer: (status: number) => void = () => undefined;
	const closed = new Promise<number>((resolve) => (answer = resolve));
	const prepareFile = async () => await Promise.reject(new Error('No space'));
	expect(await outcomeOf({ ...told, closed, prepareFile })).toBe('500');
	answer(200);
	await closed;

	expect(await outcomeOf(told)).toBe('started');
});

interface Delivery {
	message: number;
	end: 'accepted' | 'failed';
	/** Number of deliveries before n8n answers this one. */
	after: number;
	/** Number of deliveries before n8n saves its static data. */
	savedAfter: number;
}

test('a message starts the workflow once in any order of deliveries, and once more only after a failure', async () => {
	const delivery: fc.Arbitrary<Delivery> = fc.record({
		message: fc.integer({ min: 0, max: 3 }),
		end: fc.constantFrom<'accepted' | 'failed'>('accepted', 'accepted', 'failed'),
		after: fc.integer({ min: 0, max: 3 }),
		savedAfter: fc.integer({ min: 0, max: 3 }),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(delivery, { maxLength: 12 }), async (deliveries) => {
			const memory = createDeliveryMemory();
			let saved: StoredMessages | undefined;
			const started: number[] = [];
			const pending: Array<{ left: number; end: () => void }> = [];
			const turns = async (left: number) =>
				await new Promise<void>((resolve) => pending.push({ left, end: resolve }));
			const running = deliveries.map(async ({ message, end, after, savedAfter }) => {
				let known: SeenMessages | undefined;
				const save = async () => {
					await turns(savedAfter);
					saved = known?.toJSON() ?? saved;
				};
				let close: (status: number) => void = () => undefined;
				const closed = new Promise<number>((resolve) => (close = resolve));
				const rawEmail = emailWith('From: a@b.example', `X-Number: ${message}`);
				const answer = await answerTo({
					memory,
					closed,
					rawEmail,
					message: { id: `m-${message}` },
					seen: saved,
					remember: (seen) => (known = seen),
				});
				if (answer.outcome === 'started') {
					await turns(after);
					if (end === 'failed') return close(500);
					started.push(message);
					answer.accept();
				}
				await save();
				close(200);
			});
			const all = Promise.all(running);
			let isDone = false;
			void all.then(() => (isDone = true));
			while (!isDone) {
				await new Promise((resolve) => setImmediate(resolve));
				for (const one of pending.splice(0)) {
					if (one.left-- > 0) pending.push(one);
					else one.end();
				}
			}

			expect([...started].sort()).toEqual([...new Set(started)].sort());
			for (const message of [0, 1, 2, 3]) {
				const repeated = await outcomeOf({ message: { id: `m-${message}` }, seen: saved });
				expect(repeated).toBe(started.includes(message) ? 'duplicate' : 'started');
			}
		}),
		{ numRuns: 100 },
	);
});

test('with Same Email to Any Recipient, an email does not wait while the sender of a forged copy is checked', async () => {
	const memory = createDeliveryMemory();
	const parameters = {
		ignoreDuplicates: 'sameMessageId' as const,
		senderCheck: 'require' as const,
	};
	const told = { memory, parameters, rawEmail: emailWith('From: ada@example.com') };
	const never = async () => await new Promise<never>(() => undefined);
	void outcomeOf({ ...told, authenticateSender: never });

	const authenticateSender = checking('pass', 'example.com');
	expect(await outcomeOf({ ...told, authenticateSender })).toBe('started');
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
