import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { chain, itemsOf, N8n, projectFolder } from './driver';
import { ADDRESS, CREDENTIAL_TYPE, deploy } from './support/deployment';
import type { Deployment } from './support/deployment';
import { sendMail } from './support/sendMail';
import { TRIGGER, untilRegistered } from './support/triggers';

const READER = join(projectFolder, 'test/scale/counting/readSqlite.cjs');
const FILES = 'SELECT sourceType, sourceId, fileName FROM binary_data WHERE fileName = $1';

let n8n: N8n;
let deployment: Deployment;

beforeAll(async () => {
	n8n = await N8n.start({ environment: { N8N_DEFAULT_BINARY_DATA_MODE: 'database' } });
	deployment = await deploy(n8n, 'observed');
});

afterAll(async () => {
	await deployment?.sandbox.stop();
	await n8n?.stop();
});

/** What n8n's database has of a file; n8n is not running just then. */
const filesNamed = (fileName: string) => {
	const database = join(n8n.userFolder, '.n8n/database.sqlite');
	const output = execFileSync(n8n.host.node, [READER, database, FILES, fileName]);
	return JSON.parse(output.toString()) as { sourceType: string; sourceId: string }[];
};

it('with files in the database a workflow reads the attachment; the editor of n8n 2 cannot, and it outlives the execution, as docs/operations.md says', async () => {
	const workflow = await n8n.workflows.create(
		chain('Files in the database', [
			{
				name: TRIGGER,
				type: 'n8n-nodes-email-identity.emailIdentityTrigger',
				typeVersion: 2,
				parameters: { options: { checkEvery: 0 } },
				credentials: { [CREDENTIAL_TYPE]: deployment.credential },
			},
			{
				name: 'Read',
				type: 'n8n-nodes-base.extractFromFile',
				typeVersion: 1,
				parameters: { operation: 'text', binaryPropertyName: 'attachment_0' },
			},
		]),
	);
	await n8n.workflows.activate(workflow.id);
	await untilRegistered(n8n, workflow);
	await sendMail(deployment.sandbox.smtpPort, {
		from: 'a@example.org',
		to: ADDRESS,
		subject: 'With a file',
		attachments: [{ filename: 'note.txt', content: 'Hello' }],
	});
	const [execution] = await n8n.executions.atLeast(workflow.id, 1);
	expect(itemsOf(execution!, 'Read')[0]?.json).toMatchObject({ data: 'Hello' });

	const { id = '', data } = itemsOf(execution!, TRIGGER)[0]!.binary!.attachment_0!;
	if (n8n.line === '1') {
		// It has no such mode: the file is in the execution, and goes with it.
		expect([id, Buffer.from(data, 'base64').toString()]).toEqual(['', 'Hello']);
		return;
	}
	expect(id).toMatch(/^database:/);
	const download = `/rest/binary-data?action=download&id=${encodeURIComponent(id)}`;
	const downloaded = await n8n.session.download(download).then(String, () => 'refused');
	expect(downloaded).toBe('refused');

	await n8n.session.call('POST', '/rest/executions/delete', { ids: [execution!.id] });
	expect(await n8n.executions.list(workflow.id)).toEqual([]);
	await n8n.pause();
	expect(filesNamed('note.txt')).toMatchObject([{ sourceType: 'execution', sourceId: 'temp' }]);
});
