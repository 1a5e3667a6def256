import type { Sandbox } from '../../sandbox';
import { importExample, readExamples } from '../../scripts/demo/examples';
import { itemsOf, N8n } from './driver';
import type { CredentialReference } from './driver';
import { deploy } from './support/deployment';
import { startLanguageModel } from './support/languageModel';

let n8n: N8n;
let sandbox: Sandbox;
let credential: CredentialReference;

beforeAll(async () => {
	n8n = await N8n.start();
	({ sandbox, credential } = await deploy(n8n, 'observed'));
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

it.each([
	['audits identities', /audit/i, 'orphan@gone.test'],
	['lists identities', /list.*identities/i, 'support@example.test'],
	['lists webhooks', /list.*webhooks/i, 'https://hooks.example.com/agent'],
])('the agent of "ai-agent-tool" %s', async (_what, tool, found) => {
	sandbox.addWebhook({ url: 'https://hooks.example.com/agent' });
	const model = await startLanguageModel(tool, 'I have looked.');
	try {
		const { id } = await installWith(model.baseUrl);
		const execution = await n8n.executions.ended(await n8n.workflows.run(id, 'Chat'));
		const [item] = itemsOf(execution, 'Agent');
		expect(item?.json).toMatchObject({ output: 'I have looked.' });
		expect(model.toolResults.join()).toContain(found);
		await n8n.workflows.delete(id);
	} finally {
		await model.stop();
	}
});

/** The example with a model of its own; started by hand, as nobody is there to chat. */
async function installWith(baseUrl: string) {
	const example = (await readExamples()).find(({ folder }) => folder === 'ai-agent-tool');
	const stored = await importExample(n8n, example!, credential);
	const openAi = await n8n.credentials.create('openAiApi', { apiKey: 'none', url: baseUrl });
	await n8n.workflows.updateNode(stored.id, 'Chat Model', { credentials: { openAiApi: openAi } });
	await n8n.workflows.updateNode(stored.id, 'Chat', {
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		parameters: {},
	});
	await n8n.workflows.updateNode(stored.id, 'Agent', {
		parameters: { promptType: 'define', text: 'Look, please.', options: {} },
	});
	return stored;
}
