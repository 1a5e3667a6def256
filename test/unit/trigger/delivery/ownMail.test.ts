import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { readAccount } from '../../../../nodes/EmailIdentity/api/resources';
import { ownershipOf } from '../../../../nodes/EmailIdentity/trigger/delivery/whoseMail';
import { receive } from '../../../../nodes/EmailIdentity/trigger/delivery/receive';
import type { StoredSubscription } from '../../../../nodes/EmailIdentity/trigger/staticData';
import { requestOf, STORED } from './requests';
import '../../../propertySeed';

const OWN = { ownerId: 'owner-1', workspaceId: 'workspace-1' };

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
	expect(ownershipOf({ ownerId, workspaceId }, OWN)).toBe(expected);
});

test('where the subscription has no workspace, the owner tells', () => {
	const own = { ownerId: 'owner-1', workspaceId: null };

	expect(ownershipOf({ ownerId: 'owner-1', workspaceId: 'workspace-2' }, own)).toBe('own');
	expect(ownershipOf({ ownerId: 'owner-2', workspaceId: 'workspace-2' }, own)).toBe('unclear');
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

/** Whether an email starts the workflow, or was ignored, without anybody being asked. */
async function isTaken(message: object, account: Partial<StoredSubscription> = OWN) {
	const stored = { ...STORED, ownerId: '', workspaceId: undefined, ...account };
	const answer = await receive(
		requestOf({ message: { deliveredTo: 'a@b.c', ...message }, stored }),
	);
	return answer.status === 'started';
}

test('nothing starts without a question that names another owner or workspace, however it is said', async () => {
	await fc.assert(
		fc.asyncProperty(message, async (told) => {
			const { ownerId, workspaceId } = readAccount(told as IDataObject);
			const namesOthers =
				(ownerId !== null && ownerId !== 'owner-1') ||
				(workspaceId !== null && workspaceId !== 'workspace-1');

			expect(await isTaken(told)).toBe(!namesOthers);
		}),
	);
});

test.each<[string, Partial<StoredSubscription>]>([
	['of an older version', { ownerId: 'owner-1' }],
	['whose owner is not known', { workspaceId: 'workspace-1' }],
])(
	'with a stored subscription %s, mail that names an owner is not taken for granted',
	async (_what, account) => {
		expect(await isTaken({ ownerId: 'owner-1' }, account)).toBe(false);
		expect(await isTaken({ subject: 'As in the contract' }, account)).toBe(true);
	},
);
