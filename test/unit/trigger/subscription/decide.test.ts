import type { Webhook } from '../../../../nodes/EmailIdentity/api/types';
import {
	decide,
	decideRetirement,
	describeMove,
	type Wanted,
} from '../../../../nodes/EmailIdentity/trigger/subscription/decide';

const WANTED: Wanted = {
	url: 'https://n8n.example/webhook/1/webhook?token=secret',
	events: ['message.received'],
	identityId: null,
	description: 'n8n: Flow / Mail',
};

const right: Webhook = {
	...WANTED,
	id: 'right',
	enabled: true,
	ownerId: 'user',
	createdAt: null,
	updatedAt: null,
};

describe('what is found, and what is done', () => {
	const surplus = { ...right, id: 'surplus' };
	const paused = { ...right, id: 'paused', enabled: false };

	it.each([
		['nothing', [], [{ kind: 'create' }]],
		['one that is right', [right], []],
		['one that is paused', [paused], [change(paused, { enabled: true })]],
		[
			'one at an address of before',
			[{ ...right, url: 'https://old.example/webhook/1/webhook?token=secret' }],
			[change(right, { url: WANTED.url })],
		],
		[
			'one without the secret',
			[{ ...right, url: 'https://n8n.example' }],
			[change(right, { url: WANTED.url })],
		],
		[
			'one with other events',
			[{ ...right, events: ['message.sent'] }],
			[change(right, { events: WANTED.events })],
		],
		[
			'one with an event more',
			[{ ...right, events: ['message.received', 'message.sent'] }],
			[change(right, { events: WANTED.events })],
		],
		[
			'one for one identity',
			[{ ...right, identityId: 'a' }],
			[change(right, { identityId: null })],
		],
		['several that are right', [right, surplus], [remove(surplus)]],
		['a paused one before a right one', [paused, right], [remove(paused)]],
		[
			'several that are wrong',
			[{ ...paused, events: [] }, paused],
			[remove(paused), change(paused, { enabled: true })],
		],
	])('%s', (_, found, moves) => {
		expect(decide(found as Webhook[], WANTED, false).moves.map(outline)).toEqual(
			(moves as object[]).map(outline),
		);
	});

	it('a description alone is mended where that is worth a request', () => {
		const renamed = { ...right, description: 'n8n: Flow / Old Name' };
		expect(decide([renamed], WANTED, false).moves).toEqual([]);
		expect(decide([renamed], WANTED, true).moves.map(outline)).toEqual(
			[change(right, { description: WANTED.description })].map(outline),
		);
	});

	it('a description is mended along with something else', () => {
		const renamed = { ...right, enabled: false, description: null };
		expect(decide([renamed], WANTED, false).moves.map(outline)).toEqual(
			[change(right, { enabled: true, description: WANTED.description })].map(outline),
		);
	});

	it('the one that needs the least stays', () => {
		expect(decide([paused, right, surplus], WANTED, true).kept).toEqual(right);
	});
});

describe('how subscriptions are put to rest', () => {
	const paused = { ...right, id: 'paused', enabled: false };

	it.each([
		['nothing to pause', [], 'pause', []],
		['an enabled one is paused', [right], 'pause', [change(right, { enabled: false })]],
		['a paused one is left alone', [paused], 'pause', []],
		[
			'every enabled one is paused',
			[right, paused, { ...right, id: 'b' }],
			'pause',
			[change(right, { enabled: false }), change({ ...right, id: 'b' }, { enabled: false })],
		],
		['nothing to delete', [], 'delete', []],
		['all are deleted', [right, paused], 'delete', [remove(right), remove(paused)]],
	] as const)('%s', (_, found, retirement, moves) => {
		expect(decideRetirement(found, retirement).map(outline)).toEqual(moves.map(outline));
	});
});

it('a log line says what was mended', () => {
	expect(describeMove({ kind: 'create' })).toBe('created anew');
	expect(describeMove(remove(right))).toBe('a surplus one removed');
	expect(describeMove(change(right, { enabled: true, url: WANTED.url }))).toBe(
		'address corrected, resumed',
	);
});

function change(webhook: Webhook, changes: object) {
	return { kind: 'change' as const, webhook, changes };
}

function remove(webhook: Webhook) {
	return { kind: 'remove' as const, webhook };
}

/** A move by the ID of its subscription; several of the cases vary one subscription. */
function outline(move: object): object {
	const { webhook, ...rest } = { webhook: undefined, ...move } as { webhook?: Webhook };
	return { ...rest, id: webhook?.id };
}
