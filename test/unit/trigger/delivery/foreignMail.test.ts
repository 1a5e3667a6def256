import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { readAccount } from '../../../../nodes/EmailIdentity/api/resources';
import {
	isOwnMail,
	standingOf,
} from '../../../../nodes/EmailIdentity/trigger/delivery/foreignMail';
import type { StoredSubscription } from '../../../../nodes/EmailIdentity/trigger/staticData';
import '../../../propertySeed';

const OWN = { ownerId: 'owner-1', workspaceId: 'workspace-1' };

const stored = (account: Partial<StoredSubscription>): StoredSubscription => ({
	id: 's-1',
	instanceId: 'i-1',
	url: 'https://n8n.example.com/webhook/w-1/webhook',
	ownerId: '',
	secretDigest: 'digest',
	listening: 'production',
	...account,
});

test.each<[string | null, string | null, string]>([
	['owner-1', 'workspace-1', 'own'],
	['OWNER-1', 'Workspace-1', 'own'],
	['owner-1', null, 'own'],
	[null, 'workspace-1', 'own'],
	[null, null, 'own'],
	['owner-2', 'workspace-1', 'unclear'],
	['owner-2', null, 'unclear'],
	['owner-1', 'workspace-2', 'foreign'],
	['owner-2', 'workspace-2', 'foreign'],
	[null, 'workspace-2', 'foreign'],
])('mail of owner %s in workspace %s is %s', (ownerId, workspaceId, expected) => {
	expect(standingOf({ ownerId, workspaceId }, OWN)).toBe(expected);
});

test('where the subscription has no workspace, the owner tells', () => {
	const own = { ownerId: 'owner-1', workspaceId: null };

	expect(standingOf({ ownerId: 'owner-1', workspaceId: 'workspace-2' }, own)).toBe('own');
	expect(standingOf({ ownerId: 'owner-2', workspaceId: 'workspace-2' }, own)).toBe('unclear');
});

const id = fc.constantFrom<unknown>(
	undefined,
	null,
	'',
	' ',
	'owner-1',
	'owner-2',
	'workspace-1',
	'workspace-2',
	0,
	7,
	{ id: 'owner-1' },
	['owner-1'],
);

const message = fc.record({ ownerId: id, owner_id: id, workspaceId: id, workspace_id: id });

test('nothing starts without a question that names another owner or workspace, however it is said', () => {
	fc.assert(
		fc.property(message, (told) => {
			const { ownerId, workspaceId } = readAccount(told as IDataObject);
			const namesOthers =
				(ownerId !== null && ownerId !== 'owner-1') ||
				(workspaceId !== null && workspaceId !== 'workspace-1');
			const received = { id: 'm-1', message: told as IDataObject, rawEmail: '' };

			expect(isOwnMail(received, stored(OWN))).toBe(!namesOthers);
		}),
		{ numRuns: 2000 },
	);
});

test.each<[string, StoredSubscription | undefined]>([
	['none', undefined],
	['one of an older version', stored({ ownerId: 'owner-1' })],
	['one whose owner is not known', stored({ workspaceId: 'workspace-1' })],
])(
	'with a stored subscription like %s, mail that names an owner is not taken for granted',
	(_what, known) => {
		const of = (told: IDataObject) => isOwnMail({ id: 'm-1', message: told, rawEmail: '' }, known);

		expect(of({ ownerId: 'owner-1' })).toBe(false);
		expect(of({ subject: 'As in the contract' })).toBe(true);
	},
);
