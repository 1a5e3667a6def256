import { EventEmitter } from 'node:events';

import * as fc from 'fast-check';

import {
	IdempotencyGuard,
	type Claim,
} from '../../../../nodes/EmailIdentity/trigger/delivery/idempotencyGuard';
import { IdempotencyWindow } from '../../../../nodes/EmailIdentity/trigger/delivery/idempotencyWindow';
import type { TriggerStaticData } from '../../../../nodes/EmailIdentity/trigger/staticData';
import '../../../propertySeed';

type WebhookResponse = Parameters<IdempotencyGuard['claim']>[2];

/** As much of Express as n8n and the node answer through: every way to answer ends with `end`. */
class ExpressResponse extends EventEmitter {
	statusCode = 200;
	writableEnded = false;
	body: unknown;
	readonly headers = new Map<string, string>();

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	setHeader(name: string, value: string): void {
		this.headers.set(name.toLowerCase(), value);
	}

	removeHeader(name: string): void {
		this.headers.delete(name.toLowerCase());
	}

	json(body: unknown): this {
		this.body = body;
		return this.end();
	}

	end(): this {
		if (this.writableEnded) throw new Error('Answered twice');
		this.writableEnded = true;
		return this;
	}
}

/** A message is the same as one that shares its ID or its email. */
interface Message {
	id: number;
	email: number;
}

/** As long as what the window keeps. */
const keysOf = ({ id, email }: Message) => [`an-id--${id}`, `email--${email}`];

const isSame = (one: Message, other: Message) => one.id === other.id || one.email === other.email;

const numbered = (number: number): Message => ({ id: number, email: number });

/** One delivery on its way through n8n 2.x (`webhooks/live-webhooks.js`). */
interface Delivery {
	message: Message;
	response: ExpressResponse;
	staticData: TriggerStaticData;
	/** What n8n read for it. It saves what was changed since. */
	loaded: string | undefined;
	state: 'claiming' | 'recording' | 'saving' | 'answering' | 'done';
	claim?: Claim;
	/** Whether n8n started the workflow for it. */
	isStarted: boolean;
	isRepeat: boolean;
}

/** n8n, as far as deliveries to one webhook go.  */
class Host {
	guard = new IdempotencyGuard();
	/** To the process that runs. */
	deliveries: Delivery[] = [];
	/** What earlier processes started and were able to say so. */
	readonly startedBefore: Message[] = [];
	stored: string | undefined;
	/** Saves change one row, in the order in which they began. */
	private saving: Delivery[] = [];

	in(state: Delivery['state']): Delivery[] {
		if (state === 'saving') return this.saving.slice(0, 1);
		return this.deliveries.filter((delivery) => delivery.state === state);
	}

	async arrive(message: Message): Promise<void> {
		const delivery: Delivery = {
			message,
			response: new ExpressResponse(),
			staticData: { seen: this.stored },
			loaded: this.stored,
			state: 'claiming',
			isStarted: false,
			isRepeat: false,
		};
		this.deliveries.push(delivery);
		const response = delivery.response as unknown as WebhookResponse;
		void this.guard.claim(keysOf(message), delivery.staticData, response).then((claim) => {
			if (claim === 'doubtful') {
				delivery.state = 'done';
				delivery.response.status(503).end();
			} else if (claim === 'duplicate') {
				delivery.isRepeat = true;
				this.beginToSave(delivery);
			} else {
				delivery.state = 'recording';
				delivery.claim = claim;
				claim.handOver();
				// What `webhook()` itself changed is not saved when an execution starts.
				delivery.staticData = { seen: delivery.loaded };
			}
		});
		await settled();
	}

	/** The execution is in the database: n8n asks for the answer, and saves what that changed. */
	record(delivery: Delivery): void {
		delivery.isStarted = true;
		delivery.claim?.accept(delivery.staticData);
		this.beginToSave(delivery);
	}

	private beginToSave(delivery: Delivery): void {
		delivery.state = 'saving';
		this.saving.push(delivery);
	}

	fail(delivery: Delivery): void {
		delivery.state = 'done';
		delivery.response.status(500).json({});
	}

	save(delivery: Delivery): void {
		this.saving.splice(0, 1);
		if (delivery.staticData.seen !== delivery.loaded) this.stored = delivery.staticData.seen;
		delivery.state = 'answering';
	}

	answer(delivery: Delivery): void {
		delivery.state = 'done';
		delivery.response.status(200).json({});
	}

	/** The sender gives up; n8n goes on. */
	hangUp(delivery: Delivery): void {
		delivery.response.emit('close');
	}

	/** The process is killed, and all that is under way with it; another one takes its place. */
	crash(): void {
		const answered = this.deliveries.filter(
			({ isStarted, response }) => isStarted && response.writableEnded && response.statusCode < 300,
		);
		this.startedBefore.push(...answered.map(({ message }) => message));
		this.guard = new IdempotencyGuard();
		this.deliveries = [];
		this.saving = [];
	}

	/** How many of a message's keys a process that starts now would know. */
	storedKeys(message: Message): number {
		const fresh = new IdempotencyWindow('fresh');
		fresh.merge(this.stored);
		return keysOf(message).filter((key) => fresh.has(key)).length;
	}
}

async function settled(): Promise<void> {
	for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

type Step =
	{ action: 'arrive'; message: Message } | { action: Action; which: number } | { action: 'crash' };
type Action = 'record' | 'fail' | 'save' | 'answer' | 'hangUp';

const STATE_FOR: Record<Exclude<Action, 'hangUp'>, Delivery['state']> = {
	record: 'recording',
	fail: 'recording',
	save: 'saving',
	answer: 'answering',
};

const step: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({
			action: fc.constant('arrive' as const),
			message: fc.record({ id: fc.nat(5), email: fc.nat(5) }),
		}),
	},
	{ weight: 1, arbitrary: fc.constant({ action: 'crash' as const }) },
	{
		weight: 12,
		arbitrary: fc.record({
			action: fc.constantFrom<Action>('record', 'record', 'save', 'answer', 'fail', 'hangUp'),
			which: fc.nat(9),
		}),
	},
);

async function take(host: Host, { action, ...given }: Step): Promise<void> {
	if ('message' in given) return await host.arrive(given.message);
	if (action === 'crash') return host.crash();
	if (action === 'arrive' || !('which' in given)) return;
	const open = host.deliveries.filter(({ response }) => !response.writableEnded);
	const candidates = action === 'hangUp' ? open : host.in(STATE_FOR[action]);
	const chosen = candidates[given.which % Math.max(1, candidates.length)];
	if (chosen !== undefined) host[action](chosen);
	await settled();
}

/** What must hold after every step. */
function check(host: Host): void {
	for (const { message, response, state, isStarted, isRepeat } of host.deliveries) {
		const isTakenOver = response.writableEnded && response.statusCode < 300;
		const keysToStore = isStarted ? 2 : 1;
		if (isTakenOver && host.storedKeys(message) < keysToStore) {
			throw new Error(`${JSON.stringify(message)} was answered and is not stored`);
		}
		if (isTakenOver && !isStarted && !isRepeat) throw new Error('Answered, and not started');
		if (isStarted && response.statusCode === 500) throw new Error('Started, and answered 500');
		if (state === 'done' && !response.writableEnded && host.guard.isIdle) {
			throw new Error('Forgets an answer that is held back');
		}
	}
	const isBusy = host.in('claiming').length + host.in('recording').length > 0;
	const held = host.in('done').filter(({ response }) => !response.writableEnded);
	const canStillStore = isBusy || host.in('saving').length + host.in('answering').length > 0;
	if (held.length > 0 && !canStillStore) throw new Error('Holds an answer that nobody can release');
	const started = host.deliveries.filter(({ isStarted }) => isStarted);
	const messages = [...host.startedBefore, ...started.map(({ message }) => message)];
	messages.forEach((message, index) => {
		if (messages.slice(index + 1).some((other) => isSame(message, other))) {
			throw new Error(`${JSON.stringify(message)} was started twice`);
		}
	});
}

async function run(steps: Step[]): Promise<Host> {
	const host = new Host();
	for (const one of steps) {
		await take(host, one);
		check(host);
	}
	return host;
}

async function finish(host: Host, ending: 'record' | 'fail'): Promise<void> {
	for (let round = 0; host.deliveries.some(({ state }) => state !== 'done'); round++) {
		if (round > 1000) throw new Error('A delivery never ends');
		for (const action of [ending, 'save', 'answer'] as const) {
			await take(host, { action, which: 0 });
			check(host);
		}
	}
}

test('in whatever order deliveries are recorded, fail, hang up, crash and are answered, who is told 200 is stored, once', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(step, { maxLength: 60 }),
			fc.constantFrom('record' as const, 'fail' as const),
			async (steps, ending) => {
				const host = await run(steps);
				await finish(host, ending);
				const unanswered = host.deliveries.filter(({ response }) => !response.writableEnded);
				expect(unanswered).toEqual([]);

				// Whatever could not be stored then is stored with the next delivery that is accepted.
				await host.arrive(numbered(9));
				await finish(host, 'record');
				const started = host.deliveries.filter(({ isStarted }) => isStarted);
				expect(started.filter(({ message }) => host.storedKeys(message) < 2)).toEqual([]);
				expect(host.guard.isIdle).toBe(true);
			},
		),
		{ numRuns: 2000 },
	);
});

test('where none is left to store, the sender is asked for a repeat, which is ignored and stored', async () => {
	const host = await run([
		{ action: 'arrive', message: numbered(1) },
		{ action: 'arrive', message: numbered(2) },
		{ action: 'record', which: 0 },
		{ action: 'save', which: 0 },
		{ action: 'answer', which: 0 },
	]);
	const [first] = host.deliveries;
	const isHeldBack = first?.response.writableEnded === false;
	await take(host, { action: 'fail', which: 0 });
	check(host);
	const isStoredAtFirst = host.storedKeys(numbered(1)) > 0;
	await host.arrive(numbered(1));
	await finish(host, 'record');

	expect(isHeldBack).toBe(true);
	expect(first?.response.statusCode).toBe(503);
	expect(first?.response.headers.get('retry-after')).toBe('60');
	expect(first?.response.body).toMatchObject({ status: 'started' });
	expect(isStoredAtFirst).toBe(false);
	expect(host.deliveries.map(({ response }) => response.statusCode)).toEqual([503, 500, 200]);
	expect(host.storedKeys(numbered(1))).toBe(2);
});
