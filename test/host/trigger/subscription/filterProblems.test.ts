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
