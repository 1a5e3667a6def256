import { randomUUID } from 'node:crypto';
import { N8n, until } from './driver';
import type { StoredWorkflow } from './driver';
import type { Sandbox } from '../../sandbox';
import { runAction } from './support/actions';
import { ADDRESS, deploy } from './support/deployment';
import { sendMail } from './support/sendMail';
import { createTriggerWorkflow, startedWith, untilRegistered } from './support/triggers';

/** So large that what grows with the square of it would keep n8n for hours. */
const LENGTH = 64 * 1024;

let n8n: N8n;
let sandbox: Sandbox;
let workflow: StoredWorkflow;
let credential: Awaited<ReturnType<typeof deploy>>['credential'];

beforeAll(async () => {
	n8n = await N8n.shared();
	// A dialect with single messages.
	({ sandbox, credential } = await deploy(n8n, 'fork'));
	workflow = await createTriggerWorkflow(n8n, credential);
	await n8n.workflows.activate(workflow.id);
	await untilRegistered(n8n, workflow);
});

afterAll(async () => {
	await sandbox?.stop();
});

const repeated = (text: string) => text.repeat(Math.ceil(LENGTH / text.length));

const mixed = (html: string) =>
	[
		'Content-Type: multipart/mixed; boundary=part',
		'',
		'--part',
		'Content-Type: text/plain',
		'',
		'Hello',
		'--part',
		'Content-Type: text/html',
		'',
		html,
		'--part--',
		'',
	].join('\r\n');

const MAILS = {
	'HTML of unfinished links': `Content-Type: text/html\r\n\r\n<a ${repeated('href=')}`,
	'HTML of unfinished links beside text': mixed(`<a ${repeated('href=')}`),
	'HTML of open quotes beside text': mixed(repeated('<a href="')),
	'HTML of comments that never end beside text': mixed(repeated('<!-- ')),
	'base64 with a byte a line': `Content-Transfer-Encoding: base64\r\n\r\n${repeated('Q\r\n')}`,
	'an address in groups in groups': `Cc: ${repeated('a:')}\r\n\r\nHello`,
};

/** A frozen n8n takes connections and never answers. */
const ANSWERS_WITHIN_MS = 20_000;

const isHealthy = async () => {
	const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
	return (await fetch(`${n8n.url}/healthz`, { signal })).ok;
};

it.each(Object.entries(MAILS))(
	'%s starts its workflow, and n8n answers meanwhile',
	async (subject, rest) => {
		const id = `<${randomUUID()}@example.org>`;
		const raw = `Message-ID: ${id}\r\nFrom: zoe@example.org\r\nTo: ${ADDRESS}\r\nSubject: ${subject}\r\n${rest}`;
		const { length } = await n8n.executions.list(workflow.id);
		await sendMail(sandbox.smtpPort, { envelope: { from: 'zoe@example.org', to: ADDRESS }, raw });
		await until(isHealthy, { describe: 'n8n answers' });
		const executions = await n8n.executions.atLeast(workflow.id, length + 1);
		expect(startedWith(executions.at(-1)!).json).toMatchObject({ subject });

		const messageId = sandbox.dumpState().messages.at(-1)?.fields.id;
		const getting = runAction(n8n, credential, {
			resource: 'message',
			operation: 'get',
			messageId,
		});
		await until(isHealthy, { describe: 'n8n answers' });
		expect((await getting).status).toBe('success');
	},
);
