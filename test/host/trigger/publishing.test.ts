import { EmailIdentityTrigger } from '../../../nodes/EmailIdentity/EmailIdentityTrigger.node';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { until } from '../../support/n8n';
import { hookContext } from '../support';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ dialect: 'contract' });
});

afterAll(async () => {
	await sandbox.stop();
});

test('publishing with a To that is another identity of the account says so in the log', async () => {
	const { apiKey, identities } = sandbox.accounts.owner;
	const [chosen, other] = identities.filter(({ kind }) => kind === 'email');
	const type = new EmailIdentityTrigger();
	const { context, logLines } = hookContext({
		type,
		name: 'Mail',
		webhookId: '3f0e4c7a-8f57-4f6a-9a7f-0d5a4f6b1c2d',
		workflow: { id: 'workflow', name: 'Flow', active: true },
		credential: { baseUrl: sandbox.baseUrl, apiKey },
		webhookBaseUrl: 'https://n8n.example/webhook',
		instanceId: 'this-n8n',
		parameters: {
			receiveFor: 'one',
			identityId: { __rl: true, mode: 'id', value: chosen!.id },
			filters: { to: other!.value },
		},
	});
	await type.webhookMethods.default.create.call(context);
	const names = (line: { message: string }) => line.message.includes(other!.value);
	await until('the log names the other identity', () => logLines().some(names));
	expect(logLines().find(names)).toMatchObject({ level: 'warn' });
	expect(sandbox.webhooks()).toHaveLength(1);
});
