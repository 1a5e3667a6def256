import * as fc from 'fast-check';

import { createDeliveryMemory } from '../../../../../nodes/EmailIdentity/trigger/delivery/deliveryHost';
import {
	MessageClaims,
	ClaimsByWebhook,
} from '../../../../../nodes/EmailIdentity/trigger/delivery/memory/messageClaims';
import type { SeenMessages } from '../../../../../nodes/EmailIdentity/trigger/delivery/memory/seenMessages';
import type { StoredMessages } from '../../../../../nodes/EmailIdentity/trigger/staticData';
import { answerTo, checking, emailWith, outcomeOf } from '../support/requests';
import '../../../../support/propertySeed';

afterEach(() => {
	jest.restoreAllMocks();
});

const FOREVER = new Promise<number>(() => undefined);

test('a webhook keeps its memory until it is the one unused for longest, and while a delivery is under way', async () => {
	const memory = new ClaimsByWebhook();
	const [old, busy] = [memory.of('old'), memory.of('busy')];
	await busy.claim(['12345678'], FOREVER);
	expect(memory.of('old')).toBe(old);
	for (let index = 0; index < 60; index++) memory.of(`webhook ${index}`);

	expect(memory.of('old')).not.toBe(old);
	expect(memory.of('busy')).toBe(busy);
});

test('a message that was never answered can be claimed again after a minute', async () => {
	const messages = new MessageClaims();
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
