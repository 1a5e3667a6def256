import { join } from 'node:path';
import { N8n } from '../support/n8n';
import { ADDRESS } from './support/deployment';
import { installExample } from './support/examples';
import { startOtherServer, type OtherServer } from './support/otherServer';
import { onStage } from './support/stage';

const ROBOT = 'robot@example.org';

let sendGrid: OtherServer;

const stage = onStage({
	start: async () => {
		// A robot that answers each email.
		sendGrid = await startOtherServer(async () => {
			await stage.mail('Away', { from: ROBOT, to: ADDRESS, text: 'I am away.' });
		});
		const preload = join(__dirname, 'support/sendGrid.cjs');
		return await N8n.start({
			environment: {
				NODE_OPTIONS: `--require ${JSON.stringify(preload)}`,
				SENDGRID_PORT: new URL(sendGrid.url).port,
			},
		});
	},
});

afterAll(() => sendGrid?.stop());

it('"answer-every-email" answers within the conversation, an address once a day, even a robot without Auto-Submitted', async () => {
	const sendGridApi = await stage.n8n.credentials.create('sendGridApi', { apiKey: 'none' });
	const { id } = await installExample(stage, 'answer-every-email');
	await stage.n8n.workflows.updateNode(id, 'Send Answer', { credentials: { sendGridApi } });
	await stage.n8n.workflows.activate(id);
	const messageId = await stage.mail('Hello', { from: ROBOT });

	const runs = await stage.n8n.executions.atLeast(id, 2);
	await stage.sandbox.deliveriesSettled();
	expect(runs.map((run) => run.nodes['Send Answer']?.length ?? 0)).toEqual([1, 0]);
	expect(sendGrid.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
		expect.objectContaining({
			personalizations: [{ to: [{ email: ROBOT }], subject: 'Re: Hello' }],
			headers: expect.objectContaining({ 'In-Reply-To': messageId, References: messageId }),
		}),
	]);
});
