import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { triggerParameters } from '../../../../nodes/EmailIdentity/trigger/parameters';
import { startSandbox, type Sandbox } from '../../../../sandbox';
import { START, startScene, TEST, type Call } from './scene';

/** A filter that no email can ever pass is told to whoever publishes or tests the workflow. */

const IMPOSSIBLE = { filters: { from: 'ada@example.com, *@' } };

const SENTENCE =
	'The filter From can never match: "*@" has nothing after the @. Write an address ' +
	'(ada@example.com), a domain (example.com), a pattern (*@example.com) or part of a name (Ada Lovelace).';

let sandbox: Sandbox;
let scene: ReturnType<typeof startScene>;

beforeAll(async () => {
	sandbox = await startSandbox({ dialect: 'observed' });
});

afterAll(async () => {
	await sandbox.stop();
});

beforeEach(() => {
	sandbox.replaceState({ webhooks: [] });
	sandbox.clearRecordings();
	scene = startScene(sandbox);
});

test.each<[string, Call]>([
	['publishing', {}],
	['listening for a test event', TEST],
])('%s is refused with the right form, and the service is not asked', async (_, call) => {
	await expect(scene.create({ ...call, parameters: IMPOSSIBLE })).rejects.toThrow(SENTENCE);
	expect(sandbox.requests()).toEqual([]);
	expect(sandbox.webhooks()).toEqual([]);
});

test.each<[string, Call['parameters'], string]>([
	[
		'names in From, which nobody can prove',
		{ filters: { onlyAuthenticated: true, from: 'Ada Lovelace' } },
		'The filter From can never match: "Ada Lovelace" is a name, which anybody can write and nobody can prove.',
	],
	[
		'a resolver that cannot be asked, with Only Authenticated Senders',
		{ filters: { onlyAuthenticated: true }, options: { dnsResolver: 'dns.example.com' } },
		'DNS Resolver must be a complete address such as https://dns.example.com/dns-query.',
	],
	[
		'a resolver that cannot be asked, with Check Sender',
		{ options: { checkSender: true, dnsResolver: 'http://dns.example.com/dns-query' } },
		'must start with https://',
	],
])('%s is refused at publishing', async (_, parameters, sentence) => {
	await expect(scene.create({ parameters })).rejects.toThrow(sentence);
	expect(sandbox.webhooks()).toEqual([]);
});

const UNREADABLE = "={{ 'perhaps' }}";

/** Each switch of the trigger, with an expression in its place. */
const SWITCHES: Array<[label: string, INodeParameters]> = triggerParameters.flatMap((field) => {
	const nested = field.type === 'collection' ? (field.options as INodeProperties[]) : [];
	const inCollection = nested
		.filter(({ type }) => type === 'boolean')
		.map(({ displayName, name }): [string, INodeParameters] => [
			displayName,
			{ [field.name]: { [name]: UNREADABLE } },
		]);
	const own: Array<[string, INodeParameters]> =
		field.type === 'boolean' ? [[field.displayName, { [field.name]: UNREADABLE }]] : [];
	return [...own, ...inCollection];
});

test('the switches of the trigger are looked at', () => {
	expect(SWITCHES.map(([label]) => label)).toEqual([
		'Simplify',
		'Download Attachments',
		'Has Attachments',
		'Only Authenticated Senders',
		'Check Sender',
		'Include Headers',
		'Include Raw Email',
		'Remove Quoted Text',
		'Use Sample Email',
		'Verify With the API',
	]);
});

test.each(SWITCHES)(
	'an expression for %s that gives neither yes nor no is refused',
	async (label, parameters) => {
		for (const call of [{}, TEST]) {
			await expect(scene.create({ ...call, parameters })).rejects.toThrow(
				`${label} is neither on nor off. Set it by hand, or let its expression give true or false.`,
			);
		}
		expect(sandbox.requests()).toEqual([]);
		expect(sandbox.webhooks()).toEqual([]);
	},
);

test.each(["={{ 'TRUE' }}", '={{ 0 }}'])('a switch that gives %s is published', async (given) => {
	await scene.create({ parameters: { simplify: given, filters: { hasAttachments: given } } });

	expect(sandbox.webhooks()).toMatchObject([{ enabled: true }]);
});

test('a resolver that nothing asks is no reason to refuse', async () => {
	await scene.create({ parameters: { options: { dnsResolver: 'dns.example.com' } } });

	expect(sandbox.webhooks()).toMatchObject([{ enabled: true }]);
});

test.each<[string, INodeParameters]>([
	['a filter that can never match', IMPOSSIBLE],
	['a switch that cannot be read', { simplify: UNREADABLE }],
])('what was published before goes on when n8n starts: %s', async (_, parameters) => {
	await scene.create({ ...START, parameters });

	expect(sandbox.webhooks()).toMatchObject([{ enabled: true }]);
});

test('names, patterns and exclusions are published', async () => {
	const filters = {
		from: 'Zoë Sender, *@example.org',
		excludeFrom: 'noreply; "Sender, Zoë"',
		subject: 'invoice, -reminder',
		attachments: '*.pdf, image/*',
	};
	await scene.create({ parameters: { filters } });

	expect(sandbox.webhooks()).toMatchObject([{ enabled: true }]);
});
