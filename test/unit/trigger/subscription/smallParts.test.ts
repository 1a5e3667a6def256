import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import {
	isForgottenTest,
	minuteTick,
	nextCheck,
} from '../../../../nodes/EmailIdentity/trigger/subscription/interval';
import { createLanes } from '../../../../nodes/EmailIdentity/trigger/subscription/lane';
import { explain } from '../../../../nodes/EmailIdentity/trigger/subscription/words';

const NODE = { name: 'Mail', type: 'trigger' } as INode;

describe('the check at intervals', () => {
	it('asks every minute, at a second of the node’s own', () => {
		const seconds = ['a', 'b', 'c', 'd', 'e', 'f'].map((path) =>
			Number(minuteTick(path).split(' ')[0]),
		);
		expect(seconds.every((second) => second >= 0 && second < 60)).toBe(true);
		expect(new Set(seconds).size).toBeGreaterThan(3);
		expect(minuteTick('a')).toMatch(/^\d+ \* \* \* \* \*$/);
		expect(minuteTick('a')).toBe(minuteTick('a'));
	});

	it.each([
		[15, 14, false],
		[15, 15, true],
		[1, 1, true],
		[90, 89, false],
		[0, 10_000, false],
	])('every %d minutes is due after %d: %s', (checkEvery, minutes, isDue) => {
		expect(minutes * 60_000 >= nextCheck(0, checkEvery)).toBe(isDue);
	});
});

it.each([
	['2026-01-01T00:00:00.000Z', true],
	['2026-01-01T11:50:00.000Z', false],
	[null, false],
])('a test subscription of %s was forgotten at noon: %s', (createdAt, isForgotten) => {
	expect(isForgottenTest({ createdAt }, Date.parse('2026-01-01T12:00:00Z'))).toBe(isForgotten);
});

describe('lanes', () => {
	it('let work for one key run in order, also after a failure', async () => {
		const inLane = createLanes();
		const order: string[] = [];
		const work =
			(name: string, fails = false) =>
			async () => {
				order.push(`${name} begins`);
				await Promise.resolve();
				order.push(`${name} ends`);
				if (fails) throw new Error(name);
			};
		const first = inLane('key', work('first', true));
		const second = inLane('key', work('second'));
		await expect(first).rejects.toThrow('first');
		await second;
		expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
	});

	it('do not make other keys wait', async () => {
		const inLane = createLanes();
		let release = () => {};
		const held = inLane(
			'one',
			async () => await new Promise<void>((resolve) => (release = resolve)),
		);
		expect(await inLane('other', async () => 'done')).toBe('done');
		release();
		await held;
	});
});

describe('what a user reads', () => {
	it('says what happened and what to do, in one line', () => {
		const error = new NodeOperationError(NODE, 'It broke', { description: 'Mend\nit' });
		expect(explain(error)).toBe('It broke. Mend it.');
	});

	it.each([
		new NodeApiError(
			NODE,
			{},
			{ message: 'The authorization server is down', description: 'Authorization: later' },
		),
		new Error('Authorization failed'),
		'AUTHORIZATION',
	])('never holds the word that makes n8n 1.x give up', (error) => {
		expect(explain(error)).not.toMatch(/authorization/i);
	});
});
