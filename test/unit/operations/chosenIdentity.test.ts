import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { Cache } from '../../../lib/basics';
import type { Entry } from '../../../nodes/EmailIdentity/api/data/json';
import {
	isKnownIdentity,
	readChosenIdentity,
	readSendingIdentity,
} from '../../../nodes/EmailIdentity/operations/chosenIdentity';
import type { Item } from '../../../nodes/EmailIdentity/operations/operation';
import { senderLocator } from '../../../nodes/EmailIdentity/shared/editor/locators';

const IDENTITIES: Entry[] = [
	{ id: 'sales', value: 'sales@example.com', kind: 'email' },
	{ id: 'orders', value: 'Sales+Orders@example.com', kind: 'email' },
	{ id: 'later', value: 'sales@example.com', kind: 'email' },
	{ id: 'nameless', value: null },
	{ id: 'inbound', value: 'in@example.com', kind: 'email', meta: { provider: 'inbound' } },
];

/** The items of a run, with the requests for the list of identities that they sent. */
function startRun() {
	let requests = 0;
	const context: Partial<IExecuteFunctions> = { getNode: () => ({ name: 'Send' }) as INode };
	const service: Partial<Item['service']> = {
		listIdentities: async () => {
			requests += 1;
			return await Promise.resolve(IDENTITIES);
		},
	};
	const item = { context, service, cache: new Cache() } as unknown as Item;
	const choose = async (given: unknown) => await readChosenIdentity(item, senderLocator, given);
	const send = async (given: unknown) => await readSendingIdentity(item, senderLocator, given);
	return { item, choose, send, requests: () => requests };
}

const byAddress = (value: string) => ({ __rl: true, mode: 'address', value });

test.each([
	['SALES@Example.com', 'sales'],
	['sales+nobody@example.com', 'sales'],
	['sales+orders@example.com', 'orders'],
	[' sales@example.com ', 'sales'],
])('the address %s chooses the identity %s', async (address, expected) => {
	const { choose } = startRun();
	expect(await choose(byAddress(address))).toBe(expected);
	expect(await choose(address)).toBe(expected);
});

test('all items of a run share one list, and an ID needs none', async () => {
	const { choose, requests } = startRun();
	expect(await choose({ __rl: true, mode: 'id', value: 'any' })).toBe('any');
	expect(requests()).toBe(0);
	await choose('sales@example.com');
	await choose('in@example.com');
	expect(requests()).toBe(1);
});

test.each([
	['', /No address in 'From'/],
	['orders@example.com', /No identity has the address orders@example\.com/],
	['orders', /No identity has the address orders/],
])('the address "%s" is refused', async (address, says) => {
	await expect(startRun().choose(byAddress(address))).rejects.toThrow(says);
});

test('an address of any length and lines is one short line of the error', async () => {
	const address = `a\r\nb${'x'.repeat(10_000)}@example.org`;
	const error = await startRun()
		.choose(byAddress(address))
		.catch((reason: unknown) => reason as Error);
	expect(String(error)).toMatch(/^.{1,400}$/);
});

test('an address that only receives can be chosen, but not as the sender', async () => {
	const { choose, send } = startRun();
	expect(await choose(byAddress('in@example.com'))).toBe('inbound');
	await expect(send(byAddress('in@example.com'))).rejects.toThrow(/only receives/);
});

test('an own address is known with any tag, but only if the list was read', async () => {
	const { item, choose } = startRun();
	expect(isKnownIdentity(item, 'sales@example.com')).toBe(false);
	await choose('sales@example.com');
	const known = ['Sales@example.com', 'sales+x@example.com', 'in@example.com', 'ada@example.org'];
	expect(known.map((address) => isKnownIdentity(item, address))).toEqual([true, true, true, false]);
});
