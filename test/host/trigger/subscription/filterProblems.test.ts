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

test('a resolver that nothing asks is no reason to refuse', async () => {
	await scene.create({ parameters: { options: { dnsResolver: 'dns.example.com' } } });

	expect(sandbox.webhooks()).toMatchObject([{ enabled: true }]);
});

test('what was published before goes on when n8n starts', async () => {
	await scene.create({ ...START, parameters: IMPOSSIBLE });

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
