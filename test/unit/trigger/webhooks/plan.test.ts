import type { Webhook } from '../../../../nodes/EmailIdentity/api/data/resources';
import {
	planActive,
	planInactive,
	type Action,
	type DesiredState,
} from '../../../../nodes/EmailIdentity/trigger/webhooks/plan';

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
const remove = (id: string): Action => ({ kind: 'delete', id });

const GOAL = { desired: DESIRED, identity: undefined, isActivation: false };

const plans = (own: Webhook[]) => ({
	on: planActive(own, GOAL).actions,
	paused: planInactive(own, 'paused'),
	absent: planInactive(own, 'absent'),
});

test.each<[string, Webhook[], Record<'on' | 'paused' | 'absent', Action[]>]>([
	[
		'one that does not say whether it is enabled',
		[own('a', { enabled: null })],
		{
			on: [update('a', { enabled: true })],
			paused: [update('a', { enabled: false })],
			absent: [remove('a')],
		},
	],
	[
		'several, of which the second needs the least',
		[own('a', { enabled: false, events: [] }), own('b', { enabled: false })],
		{
			on: [remove('a'), update('b', { enabled: true })],
			paused: [],
			absent: [remove('a'), remove('b')],
		},
	],
])('%s', (_, seen, expected) => {
	expect(plans(seen)).toEqual(expected);
});
