import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { N8n, until } from '../support/n8n';
import { ADDRESS } from './support/deployment';
import { installExample } from './support/examples';
import { startOtherServer } from './support/otherServer';
import type { OtherServer } from './support/otherServer';
import { sendMail } from './support/sendMail';
import { onStage } from './support/stage';

/** As many of a robot's auto-replies start the workflow within an hour (`trigger/delivery/loopBrake.ts`). */
const MOST = 10;

/** Enough to see that nothing else ended the loop; a test that fails should end, too. */
const PATIENCE = 40;

const ROBOT = 'robot@example.org';

let sendGrid: OtherServer;

const stage = onStage({
	start: async () => {
		sendGrid = await startOtherServer(async () => {
			const { smtpPort } = stage.sandbox;
			await sendMail(smtpPort, { from: ROBOT, to: ADDRESS, subject: 'Away', text: 'I am away.' });
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

let robot: SMTPServer | undefined;
let received: string[];

afterEach(async () => {
	await new Promise<void>((resolve) => (robot ? robot.close(() => resolve()) : resolve()));
	robot = undefined;
});

/** Starts a mailbox that answers every email, answers included. @returns a credential for its mail server */
async function startRobot(headers: Record<string, string>) {
	received = [];
	const { smtpPort } = stage.sandbox;
	const mail = { from: ROBOT, subject: 'Away', text: 'I am away.', headers };
	robot = new SMTPServer({
		authOptional: true,
		disabledCommands: ['AUTH', 'STARTTLS'],
		disableReverseLookup: true,
		onData(stream, { envelope: { mailFrom } }, done) {
			text(stream)
				.then(async (email) => {
					received.push(email);
					done(null, 'Taken');
					const to = mailFrom === false ? '' : mailFrom.address;
					if (received.length <= PATIENCE) await sendMail(smtpPort, { ...mail, to });
				})
				.catch(done);
		},
	});
	robot.on('error', () => undefined);
	const listening = robot.listen(0, '127.0.0.1');
	await once(listening, 'listening');
	const { port } = listening.address() as AddressInfo;
	const server = { host: '127.0.0.1', port, secure: false, disableStartTls: true };
	return await stage.n8n.credentials.create('smtp', server);
}

it('a workflow and a robot that answer each other stop after ten answers', async () => {
	const smtp = await startRobot({ 'Auto-Submitted': 'auto-replied' });
	const workflow = await stage.publish({}, undefined, {
		name: 'Answer',
		type: 'n8n-nodes-base.emailSend',
		typeVersion: 2.1,
		parameters: {
			fromEmail: ADDRESS,
			toEmail: '={{ $json.from.address }}',
			subject: '=Re: {{ $json.subject }}',
			emailFormat: 'text',
			text: 'Thank you.',
			options: {},
		},
		credentials: { smtp },
	});
	await stage.mail('Hello', { from: ROBOT });

	const ignored = () =>
		stage.sandbox.deliveries(({ responseBody }) => responseBody.includes('"ignored"'));
	await until('a delivery was ignored', () => ignored().length > 0);
	await stage.sandbox.deliveriesSettled();
	expect(ignored().map(({ responseBody }) => responseBody)).toEqual([
		expect.stringContaining('"loop"'),
	]);
	expect(await stage.n8n.executions.atLeast(workflow.id, 1 + MOST)).toHaveLength(1 + MOST);
	expect(received).toHaveLength(1 + MOST);
});

it('the example "answer-every-email" answers within the conversation, an address once a day, even a robot without Auto-Submitted', async () => {
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
