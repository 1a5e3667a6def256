import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../../sandbox';
import {
	ADDRESS,
	forOne,
	identityOf,
	MAX_WORDS,
	onlyWebhook,
	setTheScene,
	START,
	TEST,
	wordsIn,
	type Call,
	type Scene,
} from './support/scene';

/** What publishing a workflow, and listening for a test event, refuse: a node that could never start, or for the wrong mail. */

let sandbox: Sandbox;
let scene: Scene;

setTheScene((fresh) => ({ sandbox, scene } = fresh));

const PRIVATE = 'https://192.168.1.7:5678/webhook';
const LOCAL = 'http://localhost:5678/webhook';
const UNREADABLE = "={{ 'perhaps' }}";

const advanced = (given: INodeParameters): Call => ({ parameters: { advanced: given } });
const filters = (given: INodeParameters): Call => ({ parameters: { filters: given } });
const checked = (senderCheck: string, more: INodeParameters): Call => ({
	parameters: { senderCheck, ...more },
});
const entered = (value: string): INodeParameters => ({
	receiveFor: 'one',
	identityId: { __rl: true, mode: 'id', value },
});
const gateway = (deliveryUrl: string) => advanced({ deliveryUrl });

test.each<[RegExp, Call]>([
	[/Simplify/, { parameters: { simplify: UNREADABLE } }],
	[/Has Attachments/, filters({ hasAttachments: UNREADABLE })],
	[/Include Headers/, { parameters: { options: { includeHeaders: UNREADABLE } } }],
	[/filter 'Subject Contains' is empty/, filters({ subject: '' })],
	[
		/expression of the filter 'Subject Contains' gives no value/,
		filters({ subject: '={{ null }}' }),
	],
	[/'Check Interval' must be a number/, advanced({ checkEvery: "={{ 'often' }}" })],
	[/'Check Interval' must be a number/, advanced({ checkEvery: '={{ null }}' })],
	[/'Delivery URL' must be a text/, advanced({ deliveryUrl: '={{ ({ a: 1 }) }}' })],
	[
		/'Output'.*'Download Attachments' is off/,
		{ parameters: { output: 'attachment', downloadAttachments: false } },
	],
	[
		/'From' can never match.*'From Excludes'/,
		filters({ from: 'ada@example.com', excludeFrom: 'example.com' }),
	],
	[/address, not an ID.*From List/, { parameters: entered('sales@example.test') }],
	[/address, not an ID/, { parameters: entered("={{ 'sales@example.test' }}") }],
	[
		/'Has Attachments' is off.*'Attachments'/,
		filters({ hasAttachments: false, attachments: '*.pdf' }),
	],
	[
		/'Has Attachments' is off.*'Output'/,
		{ parameters: { output: 'attachment', filters: { hasAttachments: false } } },
	],
	[/From.* .*Ada Lovelace/, checked('require', { filters: { from: 'Ada Lovelace' } })],
	[/'DNS Resolver'/, checked('require', { advanced: { dnsResolver: 'dns.example' } })],
	[/'DNS Resolver' .*https/, checked('add', { advanced: { dnsResolver: 'http://dns.example' } })],
	[
		/'Trusted Mail Servers' .*https:\/\/mx\.example/,
		checked('add', { advanced: { trustedServers: 'mx.example, https://mx.example' } }),
	],
	[/Add Result.*'Simplify'/, checked('add', { simplify: false })],
	[/identity/, { parameters: forOne('') }],
	[
		/Allow Private Webhook URLs.*N8N_WEBHOOK_URL.*192\.168\.1\.7/,
		{ webhookBaseUrl: PRIVATE, webhookTestBaseUrl: PRIVATE },
	],
	[
		/N8N_WEBHOOK_URL.*localhost:5678.*Allow Private Webhook URLs/,
		{ webhookBaseUrl: LOCAL, webhookTestBaseUrl: LOCAL },
	],
	[/Delivery URL' .*complete/, gateway('gateway.example/in')],
	[/10\.0\.0\.7.*Allow Private Webhook URLs/, gateway('https://10.0.0.7/in')],
	[/password/, gateway('https://me:secret@gateway.example')],
	[/parameter named token/, gateway('https://gateway.example/?token=own')],
	[/parameter named node/, gateway('https://gateway.example/?node=own')],
	[
		/Use Sample Email.*10\.0\.0\.7/,
		{ ...TEST, ...gateway('https://gateway.example'), webhookTestBaseUrl: 'http://10.0.0.7/t' },
	],
])('publishing is refused with %s, without a request: %j', async (sentence, call) => {
	const message = await scene.failure(call);
	expect(message).toMatch(sentence);
	expect(message).not.toMatch(/secret@|\/webhook/);
	expect(wordsIn(message)).toBeLessThanOrEqual(MAX_WORDS);
	expect(sandbox.requests()).toEqual([]);
	expect(await scene.failure({ ...call, ...TEST })).toMatch(sentence);
	expect(sandbox.webhooks()).toEqual([]);
});

test.each<[string, INodeParameters]>([
	['a switch that says TRUE or 0', { simplify: "={{ 'TRUE' }}", downloadAttachments: '={{ 0 }}' }],
	[
		'servers by their names',
		{ senderCheck: 'add', advanced: { trustedServers: 'MX.example.com; mx_2.example.com' } },
	],
	['a resolver that nothing asks', { advanced: { dnsResolver: 'dns.example.com' } }],
	[
		'names, patterns and exclusions',
		{ filters: { from: 'Zoë, *@a.example', subject: 'invoice', excludeSubject: 'reminder' } },
	],
])('%s is published', async (_, parameters) => {
	await scene.create({ parameters });
	expect(onlyWebhook(sandbox).enabled).toBe(true);
});

describe('the chosen identity', () => {
	const show = (id: string, shown: object) => {
		const body = { data: { id, ownerId: sandbox.accounts.other.userId, kind: 'email', ...shown } };
		sandbox.addFault({
			method: 'GET',
			path: `/identities/${id}`,
			answer: { type: 'status', status: 200, body },
		});
	};

	it.each<Call>([{}, TEST])('that does not exist is refused by its name: %j', async (call) => {
		const id = 'f2b1d7b0-0000-4000-8000-000000000000';
		expect(await scene.failure({ ...call, parameters: forOne(id) })).toContain(id);
		const chosen = forOne(id, 'lost@example.test (email, verified)');
		expect(await scene.failure({ ...call, parameters: chosen })).toContain('lost@example.test');
		expect(sandbox.webhooks()).toEqual([]);
	});

	it('of another account is refused, even if the service shows it', async () => {
		const { id } = identityOf(sandbox, 'email', 'other');
		const parameters = forOne(id);
		expect(await scene.failure({ parameters })).toMatch(/account/);
		show(id, { value: 'hers@alice.example' });
		expect(await scene.failure({ parameters })).toMatch(/account/);
		expect(sandbox.webhooks()).toEqual([]);
	});

	it('that another user shares is accepted', async () => {
		const { id, value } = identityOf(sandbox, 'email');
		show(id, { value, sharedWithWorkspace: true });
		await scene.create({ parameters: forOne(id) });
		expect(onlyWebhook(sandbox)).toMatchObject({ enabled: true, identityId: id });
	});

	describe('of another workspace', () => {
		let call: Call;

		beforeEach(() => {
			const { workspaceId } = sandbox.dumpState().accounts.find(({ name }) => name === 'other')!;
			const value = 'elsewhere@example.test';
			call = { parameters: forOne(sandbox.addIdentity({ value, workspaceId }).id, value) };
		});

		it.each<Call>([{}, TEST])('is refused, and leaves no webhook: %j', async (occasion) => {
			const message = await scene.failure({ ...call, ...occasion });
			expect(message).toMatch(/elsewhere@example\.test is in another workspace/);
			expect(message.includes(ADDRESS)).toBe(occasion !== TEST);
			expect(wordsIn(message)).toBeLessThanOrEqual(MAX_WORDS);
			expect(sandbox.webhooks()).toEqual([]);
		});

		it('is accepted with a webhook that was created there by hand, and the other webhook is deleted', async () => {
			const { parameters } = call;
			const { id, workspaceId } = sandbox.dumpState().identities.at(-1)!;
			sandbox.addWebhook({ url: ADDRESS, identityId: id });
			expect(await scene.failure({ parameters })).toMatch(/workspace/);
			await scene.remove({ parameters });
			expect(onlyWebhook(sandbox).enabled).toBe(false);
			sandbox.addWebhook({ url: ADDRESS, workspaceId });
			await scene.create({ parameters });
			expect(onlyWebhook(sandbox)).toMatchObject({ enabled: true, workspaceId, identityId: id });
		});
	});

	it('that the key may not read is reported as a missing permission, not as a missing identity', async () => {
		const parameters = forOne(identityOf(sandbox, 'email').id);
		const { staticData } = await scene.create({ parameters });
		const body = { data: { error: { code: 'INSUFFICIENT_SCOPE' } } };
		sandbox.addFault({ path: '/identities/*', answer: { type: 'status', status: 403, body } });
		expect(await scene.failure({ parameters, staticData })).toMatch(/permission/);
		await scene.create({ ...START, parameters, staticData });
		expect(onlyWebhook(sandbox).enabled).toBe(true);
	});
});

describe('Verify With the API', () => {
	const parameters = { advanced: { verify: true } };
	const noRoute = { statusCode: 404, message: 'Cannot find any route matching /api/messages.' };
	const answering = (status: number, body: unknown) =>
		sandbox.addFault({ path: '/messages/*', answer: { type: 'status', status, body } });

	it.each<Call>([{}, TEST])('is refused in a service without single messages: %j', async (call) => {
		answering(404, noRoute);
		expect(await scene.failure({ ...call, parameters })).toContain('Verify With the API');
		expect(sandbox.webhooks()).toEqual([]);
		await scene.create({ ...START, parameters });
		expect(onlyWebhook(sandbox).enabled).toBe(true);
	});

	describe('with a key that may not read messages', () => {
		const requiredScopes = ['emails:receive'];

		beforeEach(() => {
			answering(403, { data: { error: { code: 'INSUFFICIENT_SCOPE', requiredScopes } } });
		});

		it.each<Call>([{}, TEST])('is refused, and the missing scope is named: %j', async (call) => {
			expect(await scene.failure({ ...call, parameters })).toContain('emails:receive');
			expect(sandbox.webhooks()).toEqual([]);
		});

		it('that is off lets publishing succeed, and one warning names the missing scope', async () => {
			const { logLines, staticData } = await scene.create();
			const message = expect.stringContaining('emails:receive') as string;
			expect(logLines).toMatchObject([{ level: 'warn', message }]);
			expect((await scene.create({ ...START, staticData })).logLines).toEqual([]);
			expect(onlyWebhook(sandbox).enabled).toBe(true);
		});
	});

	it.each([404, 403, 400, 500, 503])(
		'is published if the status leaves it open whether it works: %i',
		async (status) => {
			answering(status, { message: 'Message not found' });
			await scene.create({ parameters });
			expect(onlyWebhook(sandbox).enabled).toBe(true);
		},
	);
});
