import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../../sandbox';
import { chosen, run } from '../resources/support/operation';
import type { RequestKind } from './faults';

export const HOOK = 'https://receiver.example/hook';
const NEW_HOOK = 'https://new.example/hook';

/** What is in the service before each cell of the matrix. */
export interface Contents {
	webhookId: string;
	identityId: string;
	messageId: string;
}

/** How a subject of the matrix ended: without a failure, or with what the user reads. */
export interface Ending {
	failure?: string;
}

/** One row of the matrix: something that a user or n8n asks the package to do. */
export interface Subject {
	name: string;
	kind: RequestKind;
	/** The request that the fault hits. */
	request: { method: string; path: string };
	/** Whether a lost answer is cleared up by looking at what is there, so that even creations succeed. */
	looksAgain?: boolean;
	/** Whether it belongs to the trigger, which leaves alone what others made. */
	isTrigger?: boolean;
	/** Whether a failure is written to n8n's log in place of being thrown. */
	isLogged?: boolean;
	/** What has to have happened before, without a fault. */
	prepare?(sandbox: Sandbox): Promise<void>;
	perform(sandbox: Sandbox, contents: Contents): Promise<Ending>;
	/** What is mended later is mended once the fault is over; fails where it is not. */
	mend?(sandbox: Sandbox): Promise<void>;
	/** Whether the service is as it should be after a success. */
	isDone(sandbox: Sandbox, contents: Contents): boolean;
}

/** Puts one webhook and one message into an otherwise empty service. */
export async function fill(sandbox: Sandbox): Promise<Contents> {
	sandbox.clearFaults();
	sandbox.replaceState({ webhooks: [], messages: [] });
	const mail =
		'From: ann@sender.example\r\nMessage-ID: <hello@sender.example>\r\nSubject: Hello\r\n\r\nGood morning';
	const { messages } = await sandbox.receiveMail(mail, {
		to: 'sales@example.test',
		deliver: false,
	});
	return {
		webhookId: sandbox.addWebhook({ url: HOOK, description: 'Made by hand' }).id,
		identityId: sandbox.accounts.owner.identities[0]?.id ?? '',
		messageId: messages[0]?.fields.id ?? '',
	};
}

interface OperationRow {
	name: string;
	kind: RequestKind;
	method: string;
	path: string;
	parameters: (contents: Contents) => INodeParameters;
	isDone?: Subject['isDone'];
	looksAgain?: boolean;
}

const own = (sandbox: Sandbox, { webhookId }: Contents) =>
	sandbox.webhooks().find(({ id }) => id === webhookId);

const isCreatedOnce = (sandbox: Sandbox) =>
	sandbox.webhooks().filter(({ url }) => url === NEW_HOOK).length === 1;

const OPERATIONS: readonly OperationRow[] = [
	{
		name: 'user get',
		kind: 'read',
		method: 'GET',
		path: '/me',
		parameters: () => ({}),
	},
	{
		name: 'identity get',
		kind: 'read',
		method: 'GET',
		path: '/identities/*',
		parameters: ({ identityId }) => ({ identityId: chosen(identityId) }),
	},
	{
		name: 'identity getAll',
		kind: 'read',
		method: 'GET',
		path: '/identities',
		parameters: () => ({ returnAll: true }),
	},
	{
		name: 'identity audit',
		kind: 'read',
		method: 'GET',
		path: '/identities',
		parameters: () => ({}),
	},
	{
		name: 'message get',
		kind: 'read',
		method: 'GET',
		path: '/messages/*',
		parameters: ({ messageId }) => ({ messageId }),
	},
	{
		name: 'webhook get',
		kind: 'read',
		method: 'GET',
		path: '/webhooks/*',
		parameters: ({ webhookId }) => ({ webhookId: chosen(webhookId) }),
	},
	{
		name: 'webhook getAll',
		kind: 'read',
		method: 'GET',
		path: '/webhooks',
		parameters: () => ({ returnAll: true }),
	},
	{
		name: 'webhook create',
		kind: 'creation',
		method: 'POST',
		path: '/webhooks',
		parameters: () => ({ url: NEW_HOOK }),
		isDone: isCreatedOnce,
	},
	{
		name: 'webhook upsert',
		kind: 'creation',
		method: 'POST',
		path: '/webhooks',
		parameters: () => ({ url: NEW_HOOK }),
		isDone: isCreatedOnce,
		looksAgain: true,
	},
	{
		name: 'webhook update',
		kind: 'change',
		method: 'PATCH',
		path: '/webhooks/*',
		parameters: ({ webhookId }) => ({
			webhookId: chosen(webhookId),
			updateFields: { description: 'Renamed' },
		}),
		isDone: (sandbox, contents) => own(sandbox, contents)?.description === 'Renamed',
	},
	{
		name: 'webhook pause',
		kind: 'change',
		method: 'PATCH',
		path: '/webhooks/*',
		parameters: ({ webhookId }) => ({ webhookId: chosen(webhookId) }),
		isDone: (sandbox, contents) => own(sandbox, contents)?.enabled === false,
	},
	{
		name: 'webhook resume',
		kind: 'change',
		method: 'PATCH',
		path: '/webhooks/*',
		parameters: ({ webhookId }) => ({ webhookId: chosen(webhookId) }),
		isDone: (sandbox, contents) => own(sandbox, contents)?.enabled === true,
	},
	{
		name: 'webhook delete',
		kind: 'removal',
		method: 'DELETE',
		path: '/webhooks/*',
		parameters: ({ webhookId }) => ({ webhookId: chosen(webhookId) }),
		isDone: (sandbox, contents) => own(sandbox, contents) === undefined,
	},
];

/** Every operation of the action node. */
export const operations: readonly Subject[] = OPERATIONS.map((row) => {
	const [resource = '', operation = ''] = row.name.split(' ');
	return {
		...row,
		name: `${title(resource)}: ${title(operation)}`,
		request: { method: row.method, path: row.path },
		isDone: row.isDone ?? (() => true),
		async perform(sandbox, contents) {
			const parameters = { resource, operation, ...row.parameters(contents) };
			// In production, where nobody waits for the end: a watched execution gives up sooner.
			const { error, outputs } = await run(sandbox, parameters, { mode: 'trigger' });
			if (error === undefined) return outputs[0]?.length ? {} : { failure: 'no item' };
			const { description } = error as { description?: string };
			return { failure: `${error.message}. ${description ?? ''}` };
		},
	};
});

/** The names of the operations in the table, as in the editor. */
function title(name: string): string {
	const words: Record<string, string> = { getAll: 'Get Many', upsert: 'Create or Update' };
	return words[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
}
