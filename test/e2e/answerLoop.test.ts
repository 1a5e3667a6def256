import { chain, N8n, until } from './driver';
import type { CredentialReference, StoredWorkflow } from './driver';
import { importExample, readExamples } from '../../scripts/demo/examples';
import type { Sandbox } from '../../sandbox';
import { ADDRESS, CREDENTIAL_TYPE, deploy } from './support/deployment';
import { startAnsweringRobot, type AnsweringRobot } from './support/answeringRobot';
import { sendMail } from './support/sendMail';
import { TRIGGER, untilRegistered } from './support/triggers';

/** As many of a robot's auto-replies start the workflow within an hour (`trigger/delivery/loopBrake.ts`). */
const MOST = 10;

const SAYS_SO = { 'Auto-Submitted': 'auto-replied' };

let n8n: N8n;
let sandbox: Sandbox;
let credential: CredentialReference;
let robot: AnsweringRobot | undefined;
let workflow: StoredWorkflow | undefined;

beforeAll(async () => {
	n8n = await N8n.shared();
});

afterEach(async () => {
	if (workflow) await n8n.workflows.delete(workflow.id);
	await robot?.stop();
	await sandbox?.stop();
	workflow = robot = undefined;
});

const smtpOf = async ({ smtpPort }: AnsweringRobot) =>
	await n8n.credentials.create('smtp', {
		host: '127.0.0.1',
		port: smtpPort,
		secure: false,
		disableStartTls: true,
	});

/** What a person builds who thinks of nothing: every email is answered. */
const answerEverything = async (to: AnsweringRobot, parameters: Record<string, unknown>) => {
	const smtp = await smtpOf(to);
	const trigger = {
		name: TRIGGER,
		type: 'n8n-nodes-email-identity.emailIdentityTrigger',
		typeVersion: 2,
		parameters: { options: { checkEvery: 0 }, ...parameters },
		credentials: { [CREDENTIAL_TYPE]: credential },
	};
	const answer = {
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
	};
	return await n8n.workflows.create(chain('Answer everything', [trigger, answer]));
};

const write = async (from: string) =>
	await sendMail(sandbox.smtpPort, { from, to: ADDRESS, subject: 'Hello', text: 'Hi' });

/** Why the deliveries were ignored, once the first one was. */
const ignored = async (): Promise<string[]> => {
	const reasons = () =>
		sandbox.deliveries().flatMap(({ responseBody }) => {
			const { reason } = JSON.parse(responseBody || '{}') as { reason?: string };
			return reason === undefined ? [] : [reason];
		});
	await until(() => reasons().length > 0, { describe: 'a delivery was ignored' });
	await sandbox.deliveriesSettled();
	return reasons();
};

const executions = async ({ id }: StoredWorkflow, count: number) =>
	await n8n.executions.atLeast(id, count);

it('a workflow that answers everything and a robot that does, too, come to an end by themselves', async () => {
	({ sandbox, credential } = await deploy(n8n, 'observed'));
	robot = await startAnsweringRobot(sandbox.smtpPort, SAYS_SO);
	workflow = await answerEverything(robot, {});
	await n8n.workflows.activate(workflow.id);
	await untilRegistered(n8n, workflow);
	await write(robot.address);

	expect(await ignored()).toEqual(['loop']);
	expect(await executions(workflow, 1 + MOST)).toHaveLength(1 + MOST);
	expect(robot.received).toHaveLength(1 + MOST);
});

it('with Auto-Replies ignored a robot is answered once', async () => {
	({ sandbox, credential } = await deploy(n8n, 'observed'));
	robot = await startAnsweringRobot(sandbox.smtpPort, SAYS_SO);
	workflow = await answerEverything(robot, { ignore: ['autoReplies'] });
	await n8n.workflows.activate(workflow.id);
	await untilRegistered(n8n, workflow);
	await write(robot.address);

	expect(await ignored()).toEqual(['autoReply']);
	expect(await executions(workflow, 1)).toHaveLength(1);
	expect(robot.received).toHaveLength(1);
});

it('the example "answer-every-email" answers once a day, also a robot that does not say that it is one', async () => {
	({ sandbox, credential } = await deploy(n8n, 'observed'));
	robot = await startAnsweringRobot(sandbox.smtpPort, {});
	const example = (await readExamples()).find(({ folder }) => folder === 'answer-every-email');
	workflow = await importExample(n8n, example!, credential);
	const { parameters } = workflow.nodes.find(({ name }) => name === 'Answer')!;
	await n8n.workflows.updateNode(workflow.id, 'Answer', {
		parameters: { ...parameters, fromEmail: ADDRESS },
		credentials: { smtp: await smtpOf(robot) },
	});
	await n8n.workflows.activate(workflow.id);
	await write(robot.address);

	const runs = await executions(workflow, 2);
	await sandbox.deliveriesSettled();
	expect(runs.map(({ nodes }) => nodes['Answer']?.length ?? 0)).toEqual([1, 0]);
	expect(robot.received).toHaveLength(1);
});
