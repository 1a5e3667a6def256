import type { Webhook } from '../../../../nodes/EmailIdentity/api/resources';
import {
	plan,
	type Action,
	type DesiredState,
} from '../../../../nodes/EmailIdentity/trigger/subscription/plan';

const DESIRED: DesiredState = {
	url: 'https://n8n.example/webhook/0a1b/webhook?token=aB3_dE5-gH7iJ9kL1mN3oP5qR7sT9uV1wX3yZ5aB7cD',
	enabled: true,
	events: ['message.received'],
	identityId: null,
	description: 'n8n: Flow / Mail',
};

/** A subscription that is right but for these fields. */
function own(id: string, wrong: Partial<Webhook> = {}): Webhook {
	return {
		...DESIRED,
		id,
		workspaceId: null,
		ownerId: 'user',
		createdAt: null,
		updatedAt: null,
		...wrong,
	};
}

const update = (id: string, changes: object): Action => ({ kind: 'update', id, changes });

const planned = (seen: Webhook, isActivation = false) =>
	plan({ state: 'on', desired: DESIRED, isActivation }, { own: [seen], leftovers: [] }).actions;

test('a wrong description is corrected by an activation, or together with something else', () => {
	const renamed = own('a', { description: 'n8n: Old' });
	const { description } = DESIRED;
	expect(planned(renamed)).toEqual([]);
	expect(planned(renamed, true)).toEqual([update('a', { description })]);
	expect(planned(own('a', { description: null, enabled: false }))).toEqual([
		update('a', { enabled: true, description }),
	]);
});
