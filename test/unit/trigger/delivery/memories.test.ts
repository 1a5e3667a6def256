import { EventEmitter } from 'node:events';

import { DeliveryMemory } from '../../../../nodes/EmailIdentity/trigger/delivery/deliveryMemory';
import { memoryOf } from '../../../../nodes/EmailIdentity/trigger/delivery/memories';

/** As much of a response as tells how a delivery ended. */
const responseOf = () =>
	Object.assign(new EventEmitter(), {
		statusCode: 200,
		writableEnded: false,
	}) as unknown as Parameters<DeliveryMemory['claim']>[2];

const claimIn = async (memory: DeliveryMemory) =>
	await memory.claim('0123456789', {}, responseOf());

test('a webhook finds its memory again', () => {
	expect(memoryOf('found again')).toBe(memoryOf('found again'));
});

test('the memories that were not used for longest are dropped', () => {
	const old = memoryOf('old');
	for (let index = 0; index < 60; index++) memoryOf(`webhook ${index}`);

	expect(memoryOf('old')).not.toBe(old);
});

test('a memory with a delivery under way is kept', async () => {
	const busy = memoryOf('busy');
	await claimIn(busy);
	for (let index = 0; index < 60; index++) memoryOf(`webhook ${index}`);

	expect(memoryOf('busy')).toBe(busy);
});

test('a message whose start stayed in doubt is given free after a minute', async () => {
	const memory = new DeliveryMemory();
	const response = responseOf();
	await memory.claim('0123456789', {}, response);
	response.emit('close');
	const inDoubt = await claimIn(memory);
	jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
	const afterwards = await claimIn(memory);
	jest.restoreAllMocks();

	expect(inDoubt).toBe('doubtful');
	expect(afterwards).toHaveProperty('accept');
});
