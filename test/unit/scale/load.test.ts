import { planStream } from '../../scale/load/plan';
import type { Planned } from '../../scale/load/plan';
import { randomFrom } from '../../scale/load/random';
import { excuseFor, lastMoments } from '../../scale/load/excuses';
import type { Sent } from '../../scale/load/records';
import type { Size } from '../../scale/load/size';
import { faultsDuring } from '../../scale/load/faults';

const size: Size = {
	name: 'short',
	messages: 400,
	repeats: 100,
	refused: 30,
	afterwards: 0,
	connections: 50,
	crashes: 0,
	lock: 0,
	look: 0,
	emails: 1,
};

const countOf = (stream: Planned[], ...kinds: string[]) =>
	stream.filter(({ kind }) => kinds.includes(kind)).length;

describe.each([1, 2, 3])('the stream of seed %i', (seed) => {
	const stream = planStream(size, randomFrom(seed));

	test('holds each message, half of the repeats together and half later, and what is refused', () => {
		const messages = stream.filter(({ id }) => id.startsWith('scale-'));

		expect(new Set(messages.map(({ id }) => id)).size).toBe(400);
		expect(countOf(stream, 'together')).toBe(50);
		expect(countOf(stream, 'single')).toBe(400 - 50 + 50);
		expect(countOf(stream, 'forged', 'malformed')).toBe(30);
	});

	test('keeps later repeats out of the way of the first delivery', () => {
		const places = new Map<string, number[]>();
		stream.forEach(({ id }, place) => places.set(id, [...(places.get(id) ?? []), place]));
		const distances = [...places.values()]
			.filter(({ length }) => length > 1)
			.map(([first, second]) => second! - first!);

		expect(distances).toHaveLength(50);
		expect(Math.min(...distances)).toBeGreaterThan(2 * size.connections);
	});
});

const sent = (sentAt: number, answeredAt: number, status?: number, receiver?: number): Sent => ({
	id: 'scale-1',
	sentAt,
	answeredAt,
	status,
	receiver,
});

describe('why a message may have been started twice', () => {
	test.each([
		['apart', [sent(0, 5, 200), sent(6, 9, 200)]],
		['apart', [sent(0, 5, 401), sent(6, 9, 200)]],
		['unanswered', [sent(0, 5, 500), sent(6, 9, 200)]],
		['together', [sent(0, 5, 200), sent(4, 9, 200)]],
		['unanswered', [sent(0, 5, undefined), sent(6, 9, 200)]],
		['unanswered', [sent(6, 9, 200), sent(0, 5, 502)]],
	])('%s', (excuse, deliveries) => {
		expect(excuseFor(deliveries)).toBe(excuse);
	});

	test('a processor that took it was killed soon after', () => {
		const first = sent(0, 5, 200, 1);
		expect(excuseFor([first, sent(20, 25, 200, 2)], (delivery) => delivery === first)).toBe(
			'killed',
		);
	});
});

describe('the last moments of a webhook processor', () => {
	const taken = [10, 20, 30].map((answeredAt) => sent(0, answeredAt, 200, 1));
	const ofOther = sent(0, 29, 200, 2);
	const afterRestart = sent(50, 60, 200, 1);
	const all = [...taken, ofOther, sent(0, 31, 401, 1), afterRestart];

	test.each([1, 2, 3])('are as long as %d deliveries that it may have at once', (atOnce) => {
		const isInLastMoments = lastMoments(all, [{ receiver: 1, at: 40 }], atOnce);
		expect(all.filter(isInLastMoments)).toEqual(taken.slice(-atOnce));
	});
});

test('faults strike one after the other, each while deliveries go on', async () => {
	const events: string[] = [];
	const ends: (() => void)[] = [];
	const fault = (name: string) => ({
		name,
		strike: async () => {
			events.push(name);
			await new Promise<void>((resolve) => ends.push(resolve));
		},
	});
	const during = faultsDuring(9, [fault('first'), fault('second')], () => {});

	for (const place of [0, 1, 2, 3, 4, 5]) await during.before(place);
	expect(events).toEqual(['first']);

	const atTheSecond = during.before(6).then(() => events.push('went on'));
	await Promise.resolve();
	expect(events).toEqual(['first']);
	ends[0]!();
	await atTheSecond;
	expect(events).toEqual(['first', 'second', 'went on']);
	ends[1]!();
	await during.allOver();
});
