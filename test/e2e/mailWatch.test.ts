import { itemsOf, until } from '../support/n8n';
import type { Execution, StoredWorkflow } from '../support/n8n';
import { ADDRESS } from './support/deployment';
import { changeNode, installExample, installTable } from './support/examples';
import { startOtherServer, type OtherServer } from './support/otherServer';
import { onStage } from './support/stage';

const stage = onStage({ isStory: true });

let chat: OtherServer;
let watch: StoredWorkflow;
let table: string;

beforeAll(async () => {
	chat = await startOtherServer();
	stage.afterwards(() => chat.stop());
	const { n8n, sandbox } = stage;
	// The other identities have problems.
	for (const { id, value } of sandbox.accounts.owner.identities) {
		if (!['example.test', ADDRESS].includes(value)) sandbox.removeIdentity(id);
	}
	watch = await installExample(stage, 'mail-watch');
	const arrivals = await installExample(stage, 'mail-watch-arrivals');
	table = await installTable(stage, 'mail-watch', watch, arrivals);
	const server = {
		host: '127.0.0.1',
		port: sandbox.smtpPort,
		secure: false,
		disableStartTls: true,
	};
	const smtp = await n8n.credentials.create('smtp', server);
	const canary = { fromEmail: ADDRESS, toEmail: ADDRESS };
	await changeNode(n8n, watch.id, 'Send Canary', canary, { smtp });
	await changeNode(n8n, watch.id, 'Post to Chat', { url: chat.url });
	await stage.activate(arrivals);
});

const waiting = async () =>
	(await stage.n8n.dataTables.rows(table)).filter(({ kind }) => kind === 'waiting');

const run = async (trigger: string): Promise<Execution> =>
	await stage.n8n.executions.ended(await stage.n8n.workflows.run(watch.id, trigger));

/** The messages to the chat within an hour. @param arrives whether the email arrives */
async function anHour({ arrives }: { arrives: boolean }): Promise<string[]> {
	const before = chat.requests.length;
	const sending = await run('Every Hour');
	expect(itemsOf(sending, 'Send Canary')).toHaveLength(1);
	await stage.sandbox.deliveriesSettled();
	const left = arrives ? 0 : 1;
	await until(`${left} emails are missing`, async () => (await waiting()).length === left);
	expect((await run('Ten Minutes Later')).status).toBe('success');
	return chat.requests.slice(before).map(({ body }) => (JSON.parse(body) as { text: string }).text);
}

const subscription = () => stage.sandbox.webhooks()[0]!;

it.each<[string, () => Partial<ReturnType<typeof subscription>>]>([
	['the service has paused the webhook', () => ({ enabled: false })],
	['the service cannot reach n8n', () => ({ url: subscription().url.replace(/:\d+/, ':9') })],
])('"mail-watch" reports once that %s, and once that it is repaired', async (_, broken) => {
	const { id, url } = subscription();
	expect(await anHour({ arrives: true })).toEqual([]);

	stage.sandbox.editWebhook(id, broken());
	expect(await anHour({ arrives: false })).toEqual([
		expect.stringMatching(/^The email "Mail watch/),
	]);
	expect(await anHour({ arrives: false })).toEqual([]);

	stage.sandbox.editWebhook(id, { url, enabled: true });
	expect(await anHour({ arrives: true })).toEqual(['Email arrives again.']);
	expect(await anHour({ arrives: true })).toEqual([]);
});

it('"mail-watch" reports what the audits find', async () => {
	stage.sandbox.addIdentity({ value: 'failed.test', kind: 'domain', status: 'failed' });
	stage.sandbox.addWebhook({ url: 'https://elsewhere.example/hook', events: ['message.unknown'] });
	const [text] = await anHour({ arrives: true });
	expect(text).toMatch(/elsewhere\.example[\s\S]*failed\.test/);
});
