import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { RESOURCES } from '../../../nodes/EmailIdentity/resources';
import { dialectNames, dialects, startSandbox, type Sandbox } from '../../../sandbox';
import { chosen, jsonOf, run } from './support/operation';

const RAW_EMAIL = [
	'From: Ann <ann@sender.example>',
	'To: Sales <sales@example.test>',
	'Subject: Hello',
	'Message-ID: <hello@sender.example>',
	'Date: Sat, 15 Nov 2025 10:47:23 +0000',
	'',
	'Good morning',
].join('\r\n');

const ISO_TIME = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

interface Place {
	identityId: string;
	messageId: string;
	webhookId: string;
	ownerId: string;
	/** The identity's; not every service knows it. */
	displayName: string | null;
}

interface Case {
	resource: string;
	operation: string;
	parameters: (place: Place) => INodeParameters;
	/** What the first item must have. */
	expected: (place: Place) => IDataObject;
	count?: number;
	/** The state of the subscription in the service afterwards. */
	stored?: IDataObject;
}

const webhookShape = ({ webhookId, ownerId }: Place): IDataObject => ({
	id: webhookId,
	ownerId,
	url: 'https://receiver.example/hook',
	events: ['message.received'],
	enabled: true,
	identityId: null,
	description: 'Made by hand',
	createdAt: ISO_TIME,
	updatedAt: ISO_TIME,
});

const identityShape = ({ identityId, ownerId, displayName }: Place): IDataObject => ({
	value: 'example.test',
	kind: 'domain',
	status: 'verified',
	displayName,
	incomingDomain: true,
	dnsRecords: [
		{ type: 'TXT', name: 'example.test', value: 'v=spf1 include:mail.example ~all' },
		{ type: 'MX', name: 'example.test', value: '10 mx.mail.example' },
	],
	domainIdentityId: null,
	ownerId,
	createdAt: '2025-11-15T10:47:23.604Z',
	id: identityId,
});

const CASES: Case[] = [
	{
		resource: 'user',
		operation: 'get',
		parameters: () => ({}),
		expected: ({ ownerId }) => ({ userId: ownerId }),
	},
	{
		resource: 'identity',
		operation: 'get',
		parameters: ({ identityId }) => ({ identityId: chosen(identityId) }),
		expected: identityShape,
	},
	{
		resource: 'identity',
		operation: 'getAll',
		parameters: () => ({ returnAll: true }),
		expected: identityShape,
		count: 10,
	},
	{
		resource: 'identity',
		operation: 'audit',
		parameters: () => ({}),
		expected: () => ({
			value: 'pending.test',
			setup: 'domain',
			healthy: false,
			findings: [{ code: 'stale' }],
		}),
		count: 10,
	},
	{
		resource: 'message',
		operation: 'get',
		parameters: ({ messageId }) => ({ messageId }),
		expected: ({ messageId }) => ({
			subject: 'Hello',
			from: { name: 'Ann', address: 'ann@sender.example' },
			to: [{ name: 'Sales', address: 'sales@example.test' }],
			date: '2025-11-15T10:47:23.000Z',
			text: expect.stringContaining('Good morning'),
			attachments: [],
			thread: { messageId: '<hello@sender.example>' },
			delivery: { id: messageId },
		}),
	},
	{
		resource: 'webhook',
		operation: 'create',
		parameters: () => ({ url: 'https://new.example/hook' }),
		expected: (place) => ({
			...webhookShape(place),
			id: expect.any(String),
			url: 'https://new.example/hook',
			description: null,
		}),
		stored: { url: 'https://new.example/hook', enabled: true, identityId: null },
	},
	{
		resource: 'webhook',
		operation: 'upsert',
		parameters: () => ({
			url: 'https://receiver.example/hook',
			additionalFields: { description: 'Renamed' },
		}),
		expected: (place) => ({ ...webhookShape(place), description: 'Renamed' }),
		stored: { url: 'https://receiver.example/hook', description: 'Renamed' },
	},
	{
		resource: 'webhook',
		operation: 'delete',
		parameters: ({ webhookId }) => ({ webhookId: chosen(webhookId) }),
		expected: () => ({ deleted: true }),
	},
	{
		resource: 'webhook',
		operation: 'get',
		parameters: ({ webhookId }) => ({ webhookId: chosen(webhookId) }),
		expected: webhookShape,
	},
	{
		resource: 'webhook',
		operation: 'getAll',
		parameters: () => ({}),
		expected: webhookShape,
	},
	{
		resource: 'webhook',
		operation: 'pause',
		parameters: ({ webhookId }) => ({ webhookId: chosen(webhookId) }),
		expected: (place) => ({ ...webhookShape(place), enabled: false }),
		stored: { enabled: false },
	},
	{
		resource: 'webhook',
		operation: 'resume',
		parameters: ({ webhookId }) => ({ webhookId: chosen(webhookId) }),
		expected: webhookShape,
		stored: { enabled: true },
	},
	{
		resource: 'webhook',
		operation: 'update',
		parameters: ({ webhookId, identityId }) => ({
			webhookId: chosen(webhookId),
			receiveFor: 'one',
			identityId: chosen(identityId),
			updateFields: { url: 'https://moved.example/hook' },
		}),
		expected: (place) => ({
			...webhookShape(place),
			url: 'https://moved.example/hook',
			identityId: place.identityId,
		}),
		stored: { url: 'https://moved.example/hook', description: 'Made by hand' },
	},
];

test('every operation that the node offers is among the cases', () => {
	const offered = RESOURCES.flatMap(({ value, operations }) =>
		operations.map((operation) => `${value} ${operation.value}`),
	);

	expect(CASES.map(({ resource, operation }) => `${resource} ${operation}`).sort()).toEqual(
		offered.sort(),
	);
});

/** The fields that a schema file promises, in the order in which the editor shows them. */
function fieldsOfSchema(resource: string, operation: string): string[] {
	const file = join(
		__dirname,
		`../../../nodes/EmailIdentity/__schema__/v1.0.0/${resource}/${operation}.json`,
	);
	expect(existsSync(file)).toBe(true);
	const schema = JSON.parse(readFileSync(file, 'utf8')) as { properties: object };
	return Object.keys(schema.properties);
}

/** Only an email that could not be read has these. */
const ONLY_SOMETIMES = ['parsed', 'warning'];

describe.each(dialectNames)('a service that speaks %s', (name) => {
	const dialect = dialects[name];
	let sandbox: Sandbox;
	let place: Place;

	beforeEach(async () => {
		sandbox = await startSandbox({ dialect });
		const { messages } = await sandbox.receiveMail(RAW_EMAIL, { to: 'sales@example.test' });
		const webhook = sandbox.addWebhook({
			url: 'https://receiver.example/hook',
			description: 'Made by hand',
		});
		place = {
			webhookId: webhook.id,
			messageId: messages[0]?.fields.id ?? '',
			identityId: sandbox.accounts.owner.identities[0]?.id ?? '',
			ownerId: sandbox.accounts.owner.userId,
			displayName: dialect.style === 'kurrier' ? 'Example' : null,
		};
	});

	afterEach(async () => {
		await sandbox.stop();
	});

	const hasMessages = dialect.messageRoutes !== 'none';
	const served = ({ resource }: { resource: string }) => resource !== 'message' || hasMessages;

	test.each(CASES.filter(served))('$resource $operation', async (given) => {
		const { resource, operation, parameters, expected, count = 1, stored } = given;
		const items = jsonOf(await run(sandbox, { resource, operation, ...parameters(place) }));

		expect(items).toHaveLength(count);
		expect(items[0]).toMatchObject(expected(place));
		const fields = Object.keys(items[0] ?? {}).filter((field) => !ONLY_SOMETIMES.includes(field));
		expect(fields).toEqual(fieldsOfSchema(resource, operation));
		if (stored !== undefined) {
			expect(sandbox.webhooks()).toContainEqual(expect.objectContaining(stored));
		}
		if (operation === 'delete') expect(sandbox.webhooks()).toEqual([]);
	});

	const getters = [
		{ resource: 'identity', parameters: () => ({ identityId: chosen(place.identityId) }) },
		{ resource: 'webhook', parameters: () => ({ webhookId: chosen(place.webhookId) }) },
		{ resource: 'message', parameters: () => ({ messageId: place.messageId }) },
	];

	test.each(getters.filter(served))(
		'$resource with Simplify off is what the service sent',
		async ({ resource, parameters }) => {
			const [item] = jsonOf(
				await run(sandbox, { resource, operation: 'get', simplify: false, ...parameters() }),
			);
			const { path } = sandbox.requests().at(-1) ?? { path: '' };
			const answer = await fetch(`${sandbox.baseUrl}${path}`, {
				headers: { authorization: `Bearer ${sandbox.accounts.owner.apiKey}` },
			});
			const body = (await answer.json()) as IDataObject;

			expect(item).toEqual(dialect.style === 'contract' ? body : body.data);
		},
	);

	if (!hasMessages) {
		test('message get says that this service has no single messages', async () => {
			const { messageId } = place;
			const { error } = await run(sandbox, { resource: 'message', operation: 'get', messageId });

			expect(error).toMatchObject({ httpCode: '404' });
		});
	}
});

test.each([
	['with Remove Quoted Text', { options: { removeQuotedText: true } }, false],
	['without', {}, true],
])('message get %s', async (_what, parameters, quotes) => {
	const sandbox = await startSandbox({ dialect: 'contract' });
	const reply = RAW_EMAIL.replace(': Hello', ': Re: Hello');
	const quoted = `${reply}\r\n\r\nOn Sat, Nov 21, 2026 at 10:02 AM Bob <bob@example.com> wrote:\r\n> Hi`;
	const { messages } = await sandbox.receiveMail(quoted, { to: 'sales@example.test' });
	const messageId = messages[0]?.fields.id ?? '';
	const get = { resource: 'message', operation: 'get', messageId, ...parameters };
	const [item] = jsonOf(await run(sandbox, get));
	await sandbox.stop();

	expect(item?.text).toContain('Good morning');
	expect(String(item?.text).includes('> Hi')).toBe(quotes);
});

test.each([
	['constructor', 'assign'],
	['webhook', 'constructor'],
	['webhook', 'send'],
])('a workflow that asks for %s %s is refused', async (resource, operation) => {
	const sandbox = await startSandbox();
	const { error } = await run(sandbox, { resource, operation });
	await sandbox.stop();

	expect(error).toBeDefined();
});
