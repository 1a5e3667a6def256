import { createKeyedQueue } from '../../../nodes/EmailIdentity/lib/concurrency';

it('work for one key runs in order, also after a failure', async () => {
	const inQueue = createKeyedQueue();
	const order: string[] = [];
	const work =
		(name: string, fails = false) =>
		async () => {
			order.push(`${name} begins`);
			await Promise.resolve();
			order.push(`${name} ends`);
			if (fails) throw new Error(name);
		};
	const first = inQueue('key', work('first', true));
	const second = inQueue('key', work('second'));
	await expect(first).rejects.toThrow('first');
	await second;
	expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
});

it('other keys do not wait', async () => {
	const inQueue = createKeyedQueue();
	let release = () => {};
	const held = inQueue(
		'one',
		async () => await new Promise<void>((resolve) => (release = resolve)),
	);
	expect(await inQueue('other', async () => 'done')).toBe('done');
	release();
	await held;
});
