import type { Webhook } from '../../../../nodes/EmailIdentity/api/types';
import type { DesiredState } from '../../../../nodes/EmailIdentity/trigger/subscription/desiredState';
import {
	diff,
	retirementDiff,
	signatureOf,
	type DiffContext,
} from '../../../../nodes/EmailIdentity/trigger/subscription/diff';
import { OwnWrites } from '../../../../nodes/EmailIdentity/trigger/subscription/ownWrites';
import { toStored } from '../../../../nodes/EmailIdentity/trigger/subscription/storedSubscription';
import { nodeTarget } from './nodeTarget';

const target = nodeTarget();

const DESIRED: DesiredState = {
	url: `${target.address}?token=${target.secrets.production}`,
	enabled: true,
	events: ['message.received'],
	identityId: null,
	description: 'n8n: Flow / Mail',
};

const right: Webhook = {
	...DESIRED,
	id: 'right',
	workspaceId: null,
	ownerId: 'user',
	createdAt: null,
	updatedAt: null,
};

const surplus = { ...right, id: 'surplus' };
const paused = { ...right, id: 'paused', enabled: false };
const update = (id: string, changes: object) => ({ kind: 'update', id, changes });
const remove = (id: string) => ({ kind: 'delete', id });

const compare = (own: Webhook[], context: Partial<DiffContext> = {}, unseen: string[] = []) =>
	diff(
		DESIRED,
		{ own, unseen },
		{
			target,
			listening: 'production',
			ownWrites: new OwnWrites(),
			isActivation: false,
			...context,
		},
	);

describe('what is observed, and what is done', () => {
	it.each<[string, Webhook[], unknown[]]>([
		['nothing', [], [{ kind: 'create' }]],
		['one that is right', [right], []],
		['one that is paused', [paused], [update('paused', { enabled: true })]],
		[
			'one at an address of before',
			[{ ...right, url: DESIRED.url.replace('n8n', 'old') }],
			[update('right', { url: DESIRED.url })],
		],
		[
			'one without the secret',
			[{ ...right, url: target.address }],
			[update('right', { url: DESIRED.url })],
		],
		[
			'one with other events',
			[{ ...right, events: ['message.sent'] }],
			[update('right', { events: DESIRED.events })],
		],
		[
			'one with an event more',
			[{ ...right, events: ['message.received', 'message.sent'] }],
			[update('right', { events: DESIRED.events })],
		],
		[
			'one for one identity',
			[{ ...right, identityId: 'a' }],
			[update('right', { identityId: null })],
		],
		['several that are right', [right, surplus], [remove('surplus')]],
		['a paused one before a right one', [paused, right], [remove('paused')]],
		[
			'several that are wrong',
			[{ ...paused, id: 'worse', events: [] }, paused],
			[remove('worse'), update('paused', { enabled: true })],
		],
	])('%s', (_, own, expected) => {
		expect(compare(own).actions).toEqual(expected);
	});

	it('one that was made and is not shown is written to by its ID', () => {
		expect(compare([], {}, ['hidden']).actions).toEqual([
			{ kind: 'assert', id: 'hidden', changes: DESIRED },
		]);
		expect(compare([right], {}, ['hidden']).actions).toEqual([]);
	});

	it('a description alone is mended by an activation', () => {
		const renamed = { ...right, description: 'n8n: Flow / Old Name' };
		expect(compare([renamed]).actions).toEqual([]);
		expect(compare([renamed], { isActivation: true }).actions).toEqual([
			update('right', { description: DESIRED.description }),
		]);
	});

	it('a description is mended along with something else', () => {
		expect(compare([{ ...paused, description: null }]).actions).toEqual([
			update('paused', { enabled: true, description: DESIRED.description }),
		]);
	});

	it('the one that needs the least stays', () => {
		expect(compare([paused, right, surplus]).kept).toEqual(right);
	});
});

describe('what this process wrote itself', () => {
	it('counts where the service still shows what was before', () => {
		const ownWrites = new OwnWrites();
		ownWrites.wrote('right', { enabled: false, identityId: 'a' });
		expect(compare([right], { ownWrites }).actions).toEqual([
			update('right', { enabled: true, identityId: null }),
		]);
	});

	it('is believed by a check where the service does not tell, and sent again by an activation', () => {
		const silent = { ...right, enabled: null };
		const ownWrites = new OwnWrites();
		expect(compare([silent], { ownWrites }).actions).toEqual([update('right', { enabled: true })]);
		ownWrites.wrote('right', { enabled: true });
		expect(compare([silent], { ownWrites }).actions).toEqual([]);
		expect(compare([silent], { ownWrites, isActivation: true }).actions).toEqual([
			update('right', { enabled: true }),
		]);
	});

	it('counts as perhaps done while the answer is out', () => {
		const ownWrites = new OwnWrites();
		ownWrites.wrote('right', { enabled: true, url: DESIRED.url });
		ownWrites.asking('right', { enabled: true });
		const silent = { ...right, enabled: null };
		expect(compare([silent], { ownWrites }).actions).toEqual([update('right', { enabled: true })]);
		ownWrites.wrote('right', { enabled: false });
		ownWrites.asking('right', { enabled: true });
		expect(retirementDiff([{ id: 'right', enabled: false }], 'pause', ownWrites)).toEqual([
			update('right', { enabled: false }),
		]);
	});

	it('what was stored as switched off is not believed to be on', () => {
		const stored = { ...nodeTarget({ id: 'right' }).stored!, retired: true };
		expect(compare([right], { target: { ...target, stored } }).actions).toEqual([
			update('right', { enabled: true }),
		]);
	});

	it('a masked secret is right when it was written, or stored with this API key', () => {
		const masked = { ...right, url: `${target.address}?token=***` };
		expect(compare([masked]).actions).toEqual([update('right', { url: DESIRED.url })]);
		expect(compare([masked], { target: nodeTarget({ id: 'right' }) }).actions).toEqual([]);
		const former = nodeTarget({ id: 'right', secretDigest: 'of a former key' });
		expect(compare([masked], { target: former }).actions).toHaveLength(1);
		const ownWrites = new OwnWrites();
		ownWrites.wrote('right', { url: DESIRED.url });
		expect(compare([masked], { ownWrites }).actions).toEqual([]);
	});

	it('a URL that is not shown is written anew where the Delivery URL was changed or removed', () => {
		const silent = { ...right, url: '' };
		const ofGateway = (deliveryUrl: string) =>
			toStored(nodeTarget(undefined, { deliveryUrl }), 'production', { id: 'right' }, undefined);
		const moved = [update('right', { url: DESIRED.url })];
		const [none, one] = ['', 'https://gateway.example/in'].map(ofGateway);
		expect(compare([silent], { target: nodeTarget(none) }).actions).toEqual([]);
		expect(compare([silent], { target: nodeTarget(one) }).actions).toEqual(moved);
		const deliveryUrl = 'https://gateway.example/in';
		expect(compare([silent], { target: nodeTarget(one, { deliveryUrl }) }).actions).toEqual([]);
		expect(compare([silent], { target: nodeTarget(none, { deliveryUrl }) }).actions).toEqual(moved);
		expect(JSON.stringify(one)).not.toContain('gateway.example');
	});
});

describe('how subscriptions are put to rest', () => {
	const pause = (id: string) => update(id, { enabled: false });

	it.each<[string, Array<Pick<Webhook, 'id' | 'enabled'>>, 'pause' | 'delete', unknown[]]>([
		['nothing to pause', [], 'pause', []],
		['an enabled one is paused', [right], 'pause', [pause('right')]],
		['a paused one is left alone', [paused], 'pause', []],
		['one that may be enabled is paused', [{ id: 'a', enabled: null }], 'pause', [pause('a')]],
		[
			'every enabled one is paused',
			[right, paused, surplus],
			'pause',
			[pause('right'), pause('surplus')],
		],
		['nothing to delete', [], 'delete', []],
		['all are deleted', [right, paused], 'delete', [remove('right'), remove('paused')]],
	])('%s', (_, own, retirement, expected) => {
		expect(retirementDiff(own, retirement, new OwnWrites())).toEqual(expected);
	});

	it('one that this process switched on is paused, whatever is shown', () => {
		const ownWrites = new OwnWrites();
		ownWrites.wrote('paused', { enabled: true });
		expect(retirementDiff([paused], 'pause', ownWrites)).toEqual([pause('paused')]);
	});
});

it('the same action has the same signature, another value another one', () => {
	const one = { kind: 'update', id: 'a', changes: { enabled: true } } as const;
	expect(signatureOf(one)).toBe(signatureOf({ ...one }));
	expect(signatureOf(one)).not.toBe(signatureOf({ ...one, id: 'b' }));
	expect(signatureOf(one)).not.toBe(signatureOf({ ...one, changes: { enabled: false } }));
});
