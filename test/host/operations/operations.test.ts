import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { RESOURCES } from '../../../nodes/EmailIdentity/operations';
import { dialectNames, dialects } from '../../../sandbox';
import { chosen, idOf, jsonOf, receive, run, sandbox, useSandbox } from './support/operation';

const URL_OF_HOOK = 'https://receiver.example/hook';

const RAW_EMAIL = [
	'From: Ann <ann@sender.example>',
	'To: Sales <sales@example.test>',
	'Subject: Re: Hello',
	'Message-ID: <hello@sender.example>',
	'Date: Sat, 15 Nov 2025 10:47:23 +0000',
	'',
	'Good morning',
	'',
	'On Sat, Nov 21, 2026 at 10:02 AM Bob <bob@example.com> wrote:',
	'> Hi',
].join('\r\n');

let ids: Record<'identityId' | 'messageId' | 'ownerId' | 'webhookId', string>;

/** Runs an operation with the fields of all operations. */
const itemsOf = async (name: string, parameters: INodeParameters) => {
	const { identityId, messageId, webhookId } = ids;
	const places = { messageId, identityId: chosen(identityId), webhookId: chosen(webhookId) };
	return jsonOf(await run(name, { ...places, ...parameters }));
};

const webhook = (): IDataObject => ({
	id: ids.webhookId,
	ownerId: ids.ownerId,
	url: URL_OF_HOOK,
	events: ['message.received'],
	enabled: true,
	identityId: null,
	description: 'Made by hand',
});

const identity = (): IDataObject => ({
	id: ids.identityId,
	value: 'example.test',
	status: 'verified',
	incomingDomain: true,
	dnsRecords: [{ type: 'TXT' }, { type: 'MX' }],
});

const message = (): IDataObject => ({
	subject: 'Re: Hello',
	from: { name: 'Ann', address: 'ann@sender.example' },
	to: [{ name: 'Sales', address: 'sales@example.test' }],
	date: '2025-11-15T10:47:23.000Z',
	text: expect.stringMatching(/Good morning[^]+> Hi/),
	attachments: [],
	thread: { messageId: '<hello@sender.example>' },
	delivery: { id: ids.messageId },
});

const FROM_SALES = { identityId: chosen('sales@example.test', 'address') };

const NEW_URL = { url: 'https://new.example/hook' };
const NEW_FIELDS = { description: 'New', enabled: false };

/** The operation with its own fields, its first item, and the subscriptions in the service afterwards, if it changes them. */
type Case = [string, INodeParameters, first: () => IDataObject, stored?: IDataObject[]];

const UNCHANGED: IDataObject = { url: URL_OF_HOOK, description: 'Made by hand', enabled: true };

const CASES: Case[] = [
	['user get', {}, () => ({ userId: ids.ownerId })],
	['identity get', {}, identity],
	['identity getAll', {}, identity],
	[
		'identity audit',
		{},
		() => ({ value: 'pending.test', setup: 'domain', findings: [{ code: 'stale' }] }),
	],
	['message get', {}, message],
	[
		'message get',
		{ options: { removeQuotedText: true } },
		() => ({ ...message(), text: expect.stringMatching(/^Good morning\s*$/) }),
	],
	[
		'message get',
		{ options: { textFormat: 'markdown' } },
		() => ({ ...message(), text: expect.stringMatching(/Bob <bob@example\.com> wrote:\n> Hi/) }),
	],
	[
		'message parse',
		{ source: 'text', rawEmail: RAW_EMAIL },
		() => ({ ...message(), delivery: { id: null, recipient: null } }),
	],
	[
		'message reply',
		{
			emailToAnswer: 'other',
			to: 'ann@sender.example',
			text: 'Thank you',
			options: { ...FROM_SALES, subject: 'Re: Hello' },
		},
		() => ({ messageId: expect.any(String), to: 'ann@sender.example', subject: 'Re: Hello' }),
	],
	[
		'message send',
		{ ...FROM_SALES, to: 'ann@sender.example', subject: 'News', text: 'Good morning' },
		() => ({ messageId: expect.any(String), to: 'ann@sender.example', subject: 'News' }),
	],
	[
		'webhook audit',
		{},
		() => ({ description: 'Made by hand', url: URL_OF_HOOK, healthy: true, findings: [] }),
	],
	[
		'webhook create',
		{ ...NEW_URL, receiveFor: 'one', additionalFields: NEW_FIELDS },
		() => ({
			...webhook(),
			...NEW_URL,
			...NEW_FIELDS,
			id: expect.any(String),
			identityId: ids.identityId,
		}),
		[UNCHANGED, { ...NEW_URL, ...NEW_FIELDS, events: ['message.received'] }],
	],
	[
		'webhook upsert',
		{ url: URL_OF_HOOK, additionalFields: { description: 'Renamed' } },
		() => ({ ...webhook(), description: 'Renamed' }),
		[{ ...UNCHANGED, description: 'Renamed' }],
	],
	['webhook delete', {}, () => ({ deleted: true }), []],
	['webhook get', {}, webhook],
	['webhook getAll', {}, webhook],
	['webhook pause', {}, () => ({ ...webhook(), enabled: false }), [{ enabled: false }]],
	['webhook resume', {}, webhook],
	[
		'webhook update',
		{ receiveFor: 'one', updateFields: NEW_URL },
		() => ({ ...webhook(), ...NEW_URL, identityId: ids.identityId }),
		[{ ...UNCHANGED, ...NEW_URL }],
	],
];

test('the cases include every operation of the node', () => {
	const offered = RESOURCES.flatMap(({ value, operations }) =>
		operations.map((operation) => `${value} ${operation.value}`),
	);

	// The output of a question is an answer, see `sendAndWait.test.ts`.
	const names = new Set([...CASES.map(([name]) => name), 'message sendAndWait']);
	expect([...names].sort()).toEqual(offered.sort());
});

/** In the order in which the editor shows them. */
function fieldsOfSchema(name: string): string[] {
	const folder = join(__dirname, '../../../nodes/EmailIdentity/__schema__/v1.0.0');
	const file = join(folder, `${name.replace(' ', '/')}.json`);
	const schema = JSON.parse(readFileSync(file, 'utf8')) as { properties: object };
	return Object.keys(schema.properties);
}

const SIMPLIFIED = RESOURCES.flatMap(({ value, operations }) =>
	operations.flatMap((operation) =>
		'output' in operation && operation.output
			? [{ name: `${value} ${operation.value}`, fields: operation.output.fields }]
			: [],
	),
);

test.each(SIMPLIFIED)('a tool can select all fields of the schema of $name', ({ name, fields }) => {
	expect(fields).toEqual(fieldsOfSchema(name));
});

const SENDING = ['message reply', 'message send'];

/** n8n's UX guidelines, "Simplify". */
const MAX_FIELDS = 10;

test.each(SIMPLIFIED)('$name returns few fields, unless an option adds one', ({ fields }) => {
	const usual = fields.filter((field) => !isSometimes(field));
	expect(usual.length).toBeLessThanOrEqual(MAX_FIELDS);
});

/** Only an email that could not be read has the first two, and only Remove Quoted Text adds the third. */
const isSometimes = (field: string) => ['parsed', 'warning', 'removedText'].includes(field);

describe.each(dialectNames)('in a service that speaks %s', (dialect) => {
	useSandbox({ dialect });

	beforeEach(async () => {
		ids = {
			webhookId: sandbox.addWebhook({ url: URL_OF_HOOK, description: 'Made by hand' }).id,
			messageId: await receive(RAW_EMAIL),
			identityId: idOf('example.test'),
			ownerId: sandbox.accounts.owner.userId,
		};
	});

	/** Message Parse sends no request. */
	const isThere = ([name]: Case) => {
		const { messageRoutes, sending } = dialects[dialect];
		if (SENDING.includes(name)) return sending !== 'none';
		return name !== 'message get' || messageRoutes !== 'none';
	};

	test.each(CASES.filter(isThere))(
		'%s with %j returns the fields of its schema, in their order',
		async (name, parameters, first, stored = [UNCHANGED]) => {
			const [item] = await itemsOf(name, parameters);

			expect(item).toMatchObject(first());
			const always = (field: string) => !isSometimes(field);
			expect(Object.keys(item ?? {}).filter(always)).toEqual(fieldsOfSchema(name).filter(always));
			expect(sandbox.webhooks()).toMatchObject(stored);
		},
	);

	test.each(['constructor assign', 'webhook constructor', 'webhook send'])(
		'an unknown operation is an error: %s',
		async (name) => {
			expect((await run(name)).error).toBeDefined();
		},
	);
});
