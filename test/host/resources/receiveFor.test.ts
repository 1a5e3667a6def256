import type { INodeParameters } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../../sandbox';
import { chosen, itemsOf, jsonOf, requestLines, run } from './support/operation';

/** Services were seen to take any identity: another account's, and one that does not exist. */

const URL_OF_HOOK = 'https://receiver.example/hook';

let sandbox: Sandbox;
let mine: string;
let hers: string;

beforeEach(async () => {
	sandbox = await startSandbox();
	mine = emailOf('owner');
	hers = emailOf('other');
});

afterEach(async () => {
	await sandbox.stop();
});

const emailOf = (account: 'owner' | 'other') =>
	sandbox.accounts[account].identities.find(({ kind }) => kind === 'email')?.id ?? '';

const receiveFor = (operation: string, identityId: string): INodeParameters => ({
	resource: 'webhook',
	operation,
	receiveFor: 'one',
	identityId: chosen(identityId),
	...(operation === 'update'
		? { webhookId: chosen(sandbox.addWebhook({ url: URL_OF_HOOK }).id) }
		: { url: URL_OF_HOOK }),
});

test.each(['create', 'upsert', 'update'])(
	"%s refuses another account's identity and a missing one, in a sentence, and writes nothing",
	async (operation) => {
		sandbox.removeIdentity(mine);
		for (const id of [hers, mine]) {
			const parameters = receiveFor(operation, id);
			const { error } = await run(sandbox, parameters);
			expect(error).toMatchObject({
				message: expect.stringContaining(id),
				description: expect.stringContaining('API key'),
				context: { itemIndex: 0 },
			});
		}
		expect(requestLines(sandbox).filter((line) => !line.startsWith('GET '))).toEqual([]);
	},
);

test.each(['create', 'upsert', 'update'])(
	'%s takes its own, and warns once that some services deliver nothing for a domain',
	async (operation) => {
		const domain = sandbox.accounts.owner.identities.find(({ kind }) => kind === 'domain');
		const items = { items: itemsOf({}, {}) };
		const { hints } = await run(sandbox, receiveFor(operation, domain?.id ?? ''), items);
		expect(hints).toMatchObject([{ message: expect.stringContaining(domain?.value ?? '-') }]);

		const result = await run(sandbox, receiveFor(operation, mine));
		expect(result.hints).toEqual([]);
		expect(sandbox.webhooks()).toContainEqual(
			expect.objectContaining({ id: jsonOf(result)[0]?.id, identityId: mine }),
		);
	},
);

test.each([
	['create', 'unchanged'],
	['upsert', null],
	['update', 'ALL'],
	['update', ''],
])(
	'%s refuses an expression that gives %j: a restriction stays, and none is left out',
	async (operation, given) => {
		const { id } = sandbox.addWebhook({ url: URL_OF_HOOK, identityId: mine });
		const parameters = {
			...receiveFor('create', mine),
			operation,
			webhookId: chosen(id),
			receiveFor: '={{ $json.who }}',
		};
		const { error } = await run(sandbox, parameters, { items: itemsOf({ who: given }) });

		expect(error).toMatchObject({
			message: expect.stringContaining('Receive For'),
			description: expect.stringContaining('one (One Identity)'),
			context: { itemIndex: 0 },
		});
		expect(sandbox.requests()).toEqual([]);
		expect(sandbox.webhooks()).toMatchObject([{ id, identityId: mine }]);
	},
);

test.each([
	['one', () => mine],
	['all', () => null],
	['unchanged', () => hers],
])('Update takes %j of an expression', async (who, expected) => {
	const { id } = sandbox.addWebhook({ url: URL_OF_HOOK, identityId: hers });
	const parameters = {
		...receiveFor('update', mine),
		webhookId: chosen(id),
		receiveFor: '={{ $json.who }}',
		updateFields: { description: 'new' },
	};
	jsonOf(await run(sandbox, parameters, { items: itemsOf({ who }) }));

	expect(sandbox.webhooks()).toContainEqual(
		expect.objectContaining({ id, identityId: expected(), description: 'new' }),
	);
});

test('an identity that cannot be looked up is not taken for a missing one', async () => {
	sandbox.addFault({ path: '/identities/*', answer: { type: 'status', status: 500 } });
	const { error } = await run(sandbox, receiveFor('create', mine));

	expect(error).toMatchObject({ httpCode: '500' });
	expect(sandbox.webhooks()).toEqual([]);
});

test('one that cannot be an ID is missing, and named as the list names it', async () => {
	const identityId = {
		__rl: true,
		value: 'a1',
		mode: 'list',
		cachedResultName: 'lost@example.test',
	};
	const { error } = await run(sandbox, { ...receiveFor('create', mine), identityId });

	expect(error?.message).toContain('lost@example.test');
	expect(sandbox.webhooks()).toEqual([]);
});
