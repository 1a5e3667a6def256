import { OpenDeliveries } from '../../../../../nodes/EmailIdentity/trigger/delivery/memory/openDeliveries';

/** A clock that a test moves. Who sleeps wakes up when their time has come. */
class TestClock {
	private time = 0;
	private sleepers: Array<{ until: number; wake: () => void }> = [];

	readonly now = (): number => this.time;

	readonly sleep = async (ms: number): Promise<void> =>
		await new Promise((resolve) => {
			this.sleepers.push({ until: this.time + ms, wake: resolve });
		});

	async pass(ms: number): Promise<void> {
		const end = this.time + ms;
		while (this.time < end) {
			this.time += 100;
			for (const { until, wake } of this.sleepers) if (until <= this.time) wake();
			await settle();
		}
	}
}

const settle = async () => await new Promise((resolve) => setImmediate(resolve));

const FOREVER = new Promise<void>(() => undefined);
const STOPPING = () => true;

function setUp() {
	const clock = new TestClock();
	const deliveries = new OpenDeliveries(clock);
	/** Closes a trigger, and tells whether its `closeFunction` has returned. */
	const close = async (isPublished = STOPPING) => {
		const state = { isClosed: false };
		void deliveries.endedBeforeStop(isPublished).then(() => (state.isClosed = true));
		await settle();
		return state;
	};
	return { clock, deliveries, close };
}

test('a stop waits for an open delivery, and for n8n to record its execution', async () => {
	const { clock, deliveries, close } = setUp();
	let end = (): void => undefined;
	deliveries.add(new Promise<void>((resolve) => (end = resolve)));
	const trigger = await close();
	await clock.pass(3_000);
	expect(trigger.isClosed).toBe(false);
	end();
	await settle();
	expect(trigger.isClosed).toBe(false);
	await clock.pass(600);
	expect(trigger.isClosed).toBe(true);
});

test('a delivery that arrives while a stop waits is waited for, too', async () => {
	const { clock, deliveries, close } = setUp();
	deliveries.add(settle());
	const trigger = await close();
	deliveries.add(FOREVER);
	await clock.pass(1_000);
	expect(trigger.isClosed).toBe(false);
});

test('triggers that are closed one after another share one deadline, below the ten seconds of Docker', async () => {
	const { clock, deliveries, close } = setUp();
	deliveries.add(FOREVER);
	const first = await close();
	await clock.pass(8_000);
	expect(first.isClosed).toBe(true);
	expect((await close()).isClosed).toBe(true);
});

test('a process that lost its leadership long ago waits again when it stops', async () => {
	const { clock, deliveries, close } = setUp();
	deliveries.add(FOREVER);
	await close();
	await clock.pass(100_000);
	expect((await close()).isClosed).toBe(false);
});

test('a trigger is closed at once if nothing is open, also after a delivery that failed', async () => {
	const { deliveries, close } = setUp();
	deliveries.add(Promise.resolve());
	deliveries.add(Promise.reject(new Error('failed')));
	await settle();
	expect((await close()).isClosed).toBe(true);
});

test.each(['before', 'after'])(
	'a trigger waits for nothing if n8n calls delete %s it, because n8n goes on running',
	async (moment) => {
		const { clock, deliveries, close } = setUp();
		deliveries.add(FOREVER);
		let isPublished = moment === 'after';
		const trigger = await close(() => isPublished);
		expect(trigger.isClosed).toBe(moment === 'before');
		isPublished = false;
		await clock.pass(100);
		expect(trigger.isClosed).toBe(true);
	},
);
