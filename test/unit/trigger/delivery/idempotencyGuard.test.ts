import { EventEmitter } from 'node:events';

import { IdempotencyGuard } from '../../../../nodes/EmailIdentity/trigger/delivery/idempotencyGuard';
import { guardOf } from '../../../../nodes/EmailIdentity/trigger/delivery/messageClaim';

/** As much of a response as tells how a delivery ended. */
const responseOf = () =>
	Object.assign(new EventEmitter(), {
		statusCode: 200,
		writableEnded: false,
	}) as unknown as Parameters<IdempotencyGuard['claim']>[2];

const claimIn = async (guard: IdempotencyGuard) =>
	await guard.claim(['12345678'], {}, responseOf());

test('a webhook finds its memory again', () => {
	expect(guardOf('found again')).toBe(guardOf('found again'));
});

test('the memories that were not used for longest are dropped', () => {
	const old = guardOf('old');
	for (let index = 0; index < 60; index++) guardOf(`webhook ${index}`);

	expect(guardOf('old')).not.toBe(old);
});

test('a memory with a delivery under way is kept', async () => {
	const busy = guardOf('busy');
	await claimIn(busy);
	for (let index = 0; index < 60; index++) guardOf(`webhook ${index}`);

	expect(guardOf('busy')).toBe(busy);
});

test('a message whose start stayed in doubt is given free after a minute', async () => {
	const guard = new IdempotencyGuard();
	const response = responseOf();
	await guard.claim(['12345678'], {}, response);
	response.emit('close');
	const inDoubt = await claimIn(guard);
	jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
	const afterwards = await claimIn(guard);
	jest.restoreAllMocks();

	expect(inDoubt).toBe('doubtful');
	expect(afterwards).toHaveProperty('accept');
});
