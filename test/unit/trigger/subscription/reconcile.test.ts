import * as fc from 'fast-check';

import type { EmailIdentityService } from '../../../../nodes/EmailIdentity/api/service';
import type { Entry } from '../../../../nodes/EmailIdentity/api/data/json';
import { desiredStateOf } from '../../../../nodes/EmailIdentity/trigger/webhooks/plan';
import { reconcile } from '../../../../nodes/EmailIdentity/trigger/subscription/reconcile';
import { switchOff } from '../../../../nodes/EmailIdentity/trigger/subscription/switchOff';
import { failure } from '../delivery/support/requests';
import { NODE, ownWebhooks, targetOf } from './support/node';
import '../../../support/propertySeed';

const IDS = ['1', '2', '3'];

/** Whose webhook has an ID; nobody's if left out. */
type Holder = 'node' | 'crm' | 'colleague' | undefined;

/** What happens in the service just before a read, or to an attempt of a change: it may be lost, and repeated. */
interface Moment {
	id: string;
	holder: Holder | 'as before';
	isLost: boolean;
}

const holder = fc.constantFrom<Holder>('node', 'node', 'crm', 'colleague', undefined);
const moment: fc.Arbitrary<Moment> = fc.record({
	id: fc.constantFrom(...IDS),
	holder: fc.oneof(fc.constant('as before' as const), holder),
	isLost: fc.boolean(),
});

/** A service that numbers its webhooks, shows those of all users, and gives the number of a deleted one to the next. */
function startService(holders: Holder[], moments: Moment[]) {
	const held = new Map(IDS.map((id, index) => [id, holders[index]]));
	const touched: Array<Holder | 'unknown'> = [];
	const next = (): Moment => moments.pop() ?? { id: '1', holder: 'as before', isLost: false };
	const show = (id: string): Entry[] => {
		const whose = held.get(id);
		if (whose === undefined) return [];
		const url = whose === 'crm' ? 'https://crm.example/' : NODE.address;
		const ownerId = whose === 'colleague' ? 'colleague' : 'me';
		return [{ id, url, ownerId, enabled: id !== '2', events: [] }];
	};
	const pass = () => {
		const { id, holder } = next();
		if (holder !== 'as before') held.set(id, holder);
	};
	const change = async (id: string, beforeAttempt: () => Promise<void>, act: () => void) => {
		for (let attempt = 1; ; attempt++) {
			await beforeAttempt();
			touched.push(held.get(id) ?? 'unknown');
			const { isLost } = next();
			if (!isLost || attempt === 3) return act();
			act();
			pass();
		}
	};
	const service = {
		ownerId: async () => await Promise.resolve('me'),
		listWebhooks: async () => {
			pass();
			return await Promise.resolve(IDS.flatMap(show));
		},
		getWebhook: async (id: string) => {
			pass();
			// It may answer with another webhook.
			const { id: other, isLost } = next();
			const [entry] = show(isLost ? other : id);
			return await (entry ? Promise.resolve(entry) : Promise.reject(failure(404)));
		},
		createWebhook: async (fields: Entry) => {
			const { id } = next();
			if (held.get(id) === undefined) held.set(id, 'node');
			return await Promise.resolve({ ...fields, id });
		},
		updateWebhook: async (id: string, _: object, before: () => Promise<void>) =>
			await change(id, before, () => undefined),
		deleteWebhook: async (id: string, before: () => Promise<void>) =>
			await change(id, before, () => void held.set(id, undefined)),
	} as unknown as EmailIdentityService;
	return { service, touched };
}

test('only webhooks of the node are changed, even if the service reuses IDs at any moment', async () => {
	let changes = 0;
	const goals = fc.constantFrom('on' as const, 'paused' as const, 'absent' as const);
	await fc.assert(
		fc.asyncProperty(
			fc.array(holder, { minLength: 3, maxLength: 3 }),
			fc.array(moment, { maxLength: 20 }),
			fc.constantFrom(...IDS),
			fc.array(goals, { minLength: 1, maxLength: 4 }),
			fc.boolean(),
			async (holders, moments, storedId, states, mayShare) => {
				const { service, touched } = startService(holders, moments);
				const target = targetOf(NODE, { ...NODE, id: storedId, url: NODE.address });
				const webhooks = ownWebhooks(service, target);
				for (const state of states) {
					const desired = desiredStateOf(target, ['message.received'], undefined, 0);
					const goal = { desired, identity: undefined, isActivation: true };
					const work = async () => {
						if (state !== 'on') return await switchOff(webhooks, state);
						const snapshot = await webhooks.observe({ mayBeCached: mayShare });
						return await reconcile(webhooks, goal, snapshot);
					};
					// It may fail, as it would for a service that changes so fast.
					await work().catch(() => undefined);
				}
				expect(touched).toEqual(touched.map(() => 'node'));
				changes += touched.length;
			},
		),
		{ numRuns: 1000 },
	);
	expect(changes).toBeGreaterThan(1000);
});
