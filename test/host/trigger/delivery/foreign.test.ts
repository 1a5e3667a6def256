import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import * as fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { EmailIdentityTrigger } from '../../../../nodes/EmailIdentity/EmailIdentityTrigger.node';
import { runNode } from '../../rig';
import {
	API_KEY,
	received,
	startDeliveryHost,
	storedSubscription,
	type DeliveryHost,
} from './deliveries';
import '../../../propertySeed';

const OWNER = '0d9ad5c1-45a6-4a4f-9d3c-9d0d2b1f0001';
const WORKSPACE = '0d9ad5c1-45a6-4a4f-9d3c-9d0d2b1f0002';
const OTHER_OWNER = '0d9ad5c1-45a6-4a4f-9d3c-9d0d2b1f0003';
const OTHER_WORKSPACE = '0d9ad5c1-45a6-4a4f-9d3c-9d0d2b1f0004';

type Answer = (response: ServerResponse) => void;

const reply =
	(status: number, body: unknown): Answer =>
	(response) => {
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(body));
	};

/** As services were seen to answer: one without single messages, and one that has others. */
const NO_ROUTE = reply(404, {
	error: true,
	statusCode: 404,
	message: 'Cannot find any route matching [GET] /api/messages/m-1',
});
const NO_MESSAGE = reply(404, {
	error: true,
	statusCode: 404,
	message: 'Message not found',
	data: { success: false, error: { code: 'MESSAGE_NOT_FOUND', message: 'Message not found' } },
});
/** About the key, whosever the message is. */
const LACKS_RIGHT = reply(403, {
	error: true,
	statusCode: 403,
	message: 'Insufficient scope',
	data: {
		success: false,
		error: { code: 'INSUFFICIENT_SCOPE', requiredScopes: ['emails:receive'] },
	},
});
const IDENTITIES = reply(200, {
	success: true,
	data: [{ id: 'i-1', value: 'shared@example.org', kind: 'email', ownerId: OTHER_OWNER }],
});

let service: Server;
let host: DeliveryHost;
let asked: string[] = [];
let answers: Record<string, Answer> = {};

beforeEach(async () => {
	asked = [];
	service = createServer((request, response) => {
		const path = request.url ?? '';
		asked.push(path);
		const route = Object.keys(answers).find((start) => path.startsWith(`/api${start}`));
		(answers[route ?? ''] ?? reply(500, {}))(response);
	});
	await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
	await host.stop();
	service.closeAllConnections();
	await new Promise((resolve) => service.close(resolve));
});

const credentialOf = () => ({
	baseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}/api`,
	apiKey: API_KEY,
});

/** A trigger whose activation stored its subscription, unless a test says otherwise. */
const start = async (
	account: IDataObject | undefined = { ownerId: OWNER, workspaceId: WORKSPACE },
	{ advanced, isTest = false }: { advanced?: INodeParameters; isTest?: boolean } = {},
) => {
	host = await startDeliveryHost(advanced ? { advanced } : {}, {
		credential: credentialOf(),
		isTest,
	});
	if (account === undefined) return;
	const listening = isTest ? 'test' : 'production';
	host.staticData = { subscription: storedSubscription(host.signedUrl, account, listening) };
};

/** The email names its mailbox, so that nobody is asked for the output's recipient. */
const messageOf = (told: IDataObject, id = 'm-1') => {
	const { event, data } = received(id, { deliveredTo: 'inbox@example.org' });
	return { event, data: { ...data, message: { ...data.message, ...told } } };
};

const deliver = async (told: IDataObject, id?: string) => {
	const answer = await host.post(messageOf(told, id));
	return { status: answer.status, ...((await answer.json()) as { reason?: string }) };
};

const FOREIGN = { status: 'ignored', reason: 'foreign' };
const OF_OTHERS = { ownerId: OTHER_OWNER, workspaceId: OTHER_WORKSPACE };
const OF_A_COLLEAGUE = { ownerId: OTHER_OWNER, workspaceId: WORKSPACE };

test.each<[string, IDataObject]>([
	['own mail', { ownerId: OWNER, workspaceId: WORKSPACE }],
	['own mail of a service that names only owners', { ownerId: OWNER.toUpperCase() }],
	['mail of a service that names neither, as in the contract', {}],
])('%s starts the workflow, and nobody is asked', async (_what, told) => {
	await start();
	await deliver(told);

	expect(host.started()).toHaveLength(1);
	expect(asked).toEqual([]);
});

test('mail of another workspace is ignored, and nobody is asked', async () => {
	await start();
	const answers = [
		await deliver(OF_OTHERS),
		await deliver({ workspaceId: OTHER_WORKSPACE }, 'm-2'),
	];

	expect(answers).toEqual([FOREIGN, FOREIGN]);
	expect(host.started()).toEqual([]);
	expect(asked).toEqual([]);
	expect(host.logLines()).toMatchObject([
		{ level: 'info', message: expect.stringMatching(/1 delivery was ignored: foreign$/) },
	]);
});

test('where single messages cannot be read, the recipient decides; the list is asked for again before an email is dropped by it', async () => {
	answers = { '/messages/': NO_ROUTE, '/identities': IDENTITIES };
	await start();
	const given = [
		await deliver({ ...OF_A_COLLEAGUE, deliveredTo: 'Shared@example.org' }, 'm-1'),
		await deliver({ ...OF_A_COLLEAGUE, deliveredTo: 'shared+tag@example.org' }, 'm-2'),
		await deliver({ ...OF_A_COLLEAGUE, deliveredTo: 'private@example.org' }, 'm-3'),
		await deliver({ ...OF_A_COLLEAGUE, to: 'shared@example.org' }, 'm-4'),
	];

	expect(given.map(({ reason }) => reason)).toEqual([undefined, undefined, 'foreign', 'foreign']);
	expect(host.started()).toHaveLength(2);
	expect(asked).toEqual(['/api/messages/m-1', '/api/identities', '/api/identities']);
});

test.each<[string, Record<string, Answer>]>([
	['is in trouble', { '/messages/': reply(503, {}) }],
	['refuses the key', { '/messages/': reply(401, {}) }],
	['says that the key lacks a right', { '/messages/': LACKS_RIGHT }],
	['breaks off', { '/messages/': (response) => response.destroy() }],
	['does not answer in time', { '/messages/': () => {} }],
	['does not tell its identities', { '/messages/': NO_ROUTE, '/identities': reply(500, {}) }],
])(
	'when the service %s, its sender is asked for a repeat, which starts the workflow',
	async (_what, given) => {
		answers = given;
		await start();
		const mail = { ...OF_A_COLLEAGUE, deliveredTo: 'shared@example.org' };
		const first = await host.post(messageOf(mail));
		answers = { '/messages/': reply(200, { data: { id: 'm-1' } }) };
		const before = host.started().length;

		expect([first.status, first.headers.get('retry-after'), before]).toEqual([503, '60', 0]);
		expect(JSON.stringify(host.staticData)).not.toContain('seen');
		if ('/identities' in given) return;
		await deliver(mail);
		expect(host.started()).toHaveLength(1);
	},
);

test.each<[string, IDataObject | undefined]>([
	['of an older version', { ownerId: OWNER }],
	['without an owner', { workspaceId: WORKSPACE }],
	['lost', undefined],
])(
	'whose the subscription is, is asked once where what was stored is %s',
	async (_what, account) => {
		await start(account);
		if (account === undefined) host.staticData = {};
		answers = {
			'/webhooks': reply(200, {
				data: [
					{ id: 's-0', url: 'https://elsewhere.example/?token=other', ownerId: OTHER_OWNER },
					{ id: 's-1', url: host.signedUrl, ownerId: OWNER, workspaceId: WORKSPACE },
				],
			}),
		};
		const given = [
			await deliver({ ownerId: OWNER, workspaceId: WORKSPACE }, 'm-1'),
			await deliver(OF_OTHERS, 'm-2'),
			await deliver({ ownerId: OWNER, workspaceId: OTHER_WORKSPACE }, 'm-3'),
		];

		expect(given.map(({ reason }) => reason)).toEqual([undefined, 'foreign', 'foreign']);
		expect(asked).toEqual(['/api/webhooks']);
	},
);

test.each<[string, Answer]>([
	['is in trouble', reply(500, {})],
	['breaks off', (response) => response.destroy()],
])(
	'when the service %s, a lost owner is asked for again, and the recipient of the output is left open',
	async (_what, answer) => {
		answers = { '/webhooks': answer, '/identities': answer };
		await start();
		await host.post(received('m-1'));
		expect([host.started().length, asked.includes('/api/identities')]).toEqual([1, true]);
		await host.stop();

		await start(undefined);
		host.staticData = {};
		const { status } = await host.post(messageOf({ ownerId: OWNER, workspaceId: WORKSPACE }));
		expect([status, host.started(), asked.includes('/api/webhooks')]).toEqual([503, [], true]);
	},
);

test('with Verify With the API, what the service gives to the key starts the workflow, unless it is another workspace’s', async () => {
	answers = { '/messages/': reply(200, { data: { id: 'm-1', subject: 'Shared' } }) };
	await start(undefined, { advanced: { verify: true } });
	host.staticData = {};
	await deliver(OF_OTHERS, 'm-1');
	expect(host.started()).toHaveLength(1);
	expect(asked).toEqual(['/api/messages/m-1']);
	await host.stop();

	answers = { '/messages/': reply(200, { data: { id: 'm-1', ...OF_OTHERS } }) };
	await start({ ownerId: OWNER, workspaceId: WORKSPACE }, { advanced: { verify: true } });
	expect(await deliver({}, 'm-1')).toEqual(FOREIGN);
});

test('while you listen for a test event, mail of your workspace is reported, and mail of others is not', async () => {
	answers = { '/messages/': NO_MESSAGE };
	await start({ ownerId: OWNER, workspaceId: WORKSPACE }, { isTest: true });
	await deliver(OF_OTHERS, 'm-1');
	const waiting = host.started().length;
	await deliver(OF_A_COLLEAGUE, 'm-2');
	const [items = []] = host.started()[0] ?? [];
	const run = await runNode({
		type: new EmailIdentityTrigger(),
		credential: credentialOf(),
		items,
		mode: 'manual',
	});

	expect(waiting).toBe(0);
	expect(run.error?.message).toContain('another account');
});

const idOf = (...ids: string[]) => fc.option(fc.constantFrom(...ids), { nil: undefined });

test('whatever a delivery says, mail that is not the account’s never starts the workflow', async () => {
	await start();
	let number = 0;
	const message = fc.record({
		ownerId: idOf(OWNER, OTHER_OWNER, 'x', ''),
		workspaceId: idOf(WORKSPACE, OTHER_WORKSPACE, 'y', ''),
		deliveredTo: idOf('shared@example.org', 'private@example.org', 'SHARED@EXAMPLE.ORG', '@', ''),
		to: idOf('shared@example.org'),
	});
	const readable = fc.constantFrom<[string, Answer]>(
		['yes', reply(200, { data: { id: 'm-1' } })],
		['no', NO_MESSAGE],
		['never', NO_ROUTE],
	);
	await fc.assert(
		fc.asyncProperty(message, readable, async (told, [isReadable, answer]) => {
			answers = { '/messages/': answer, '/identities': IDENTITIES };
			const before = host.started().length;
			const knownWithoutRoute = asked.length;
			await deliver(JSON.parse(JSON.stringify(told)) as IDataObject, `m-${number++}`);
			const isStarted = host.started().length > before;
			const isElsewhere = !!told.workspaceId && told.workspaceId !== WORKSPACE;
			const isOthers = !!told.ownerId && told.ownerId !== OWNER;
			const isForShared = told.deliveredTo?.toLowerCase() === 'shared@example.org';
			const wasAsked = asked.slice(knownWithoutRoute).some((path) => path.includes('/messages/'));
			const isMeant = wasAsked && isReadable !== 'never' ? isReadable === 'yes' : isForShared;

			expect(isStarted).toBe(!isElsewhere && (!isOthers || isMeant));
		}),
		{ numRuns: 150 },
	);
});
