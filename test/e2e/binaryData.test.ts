import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { IBinaryData } from 'n8n-workflow';
import { chain, itemsOf, N8n, projectFolder, until } from './driver';
import type { CredentialReference, StoredWorkflow } from './driver';
import type { Sandbox } from '../../sandbox';
import { ADDRESS, CREDENTIAL_TYPE, deploy } from './support/deployment';
import { sendMail } from './support/sendMail';
import { createTriggerWorkflow, startedWith, TRIGGER, untilRegistered } from './support/triggers';

/** `LARGE_MAILS=50` makes it the full measure. */
const MAILS = Number(process.env.LARGE_MAILS ?? 4);
const WARM_UP = 3;
const MEGABYTE = 1024 * 1024;
const ATTACHMENT_BYTES = 10 * MEGABYTE;

/** What may stay: far less than one mail for each that came. */
const NEAR_MEGABYTES = 150;

const READER = join(projectFolder, 'test/scale/readSqlite.cjs');
const FILES = 'SELECT sourceType, sourceId, fileName FROM binary_data WHERE fileName = $1';

let n8n: N8n;
let sandbox: Sandbox;
let credential: CredentialReference;
let workflow: StoredWorkflow;

beforeAll(async () => {
	// The default of 2.x; 1.x keeps files in the execution's own data unless it is told so.
	n8n = await N8n.start({ environment: { N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' } });
	({ sandbox, credential } = await deploy(n8n, 'observed'));
	workflow = await createTriggerWorkflow(n8n, credential);
	await n8n.workflows.activate(workflow.id);
	await untilRegistered(n8n, workflow);
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Sends mails by SMTP one after the other, until each has been delivered. Returns their files' checksums. */
async function send(count: number): Promise<string[]> {
	const checksums: string[] = [];
	for (let number = 0; number < count; number++) {
		const content = randomBytes(ATTACHMENT_BYTES);
		checksums.push(sha256(content));
		const attachments = [{ filename: 'film.bin', content, contentType: 'application/x-film' }];
		await sendMail(sandbox.smtpPort, { from: 'zoe@example.org', to: ADDRESS, attachments });
		await sandbox.deliveriesSettled();
	}
	expect(sandbox.deliveries(({ status }) => status !== 200)).toEqual([]);
	return checksums;
}

/** The memory that n8n's process holds now. */
function residentMegabytes(): number {
	const kilobytes = execFileSync('ps', ['-o', 'rss=', '-p', String(n8n.processId)], {
		encoding: 'utf8',
	});
	return Number(kilobytes) / 1024;
}

it('hands on a 10 MB attachment byte for byte, and keeps neither it nor its copies in memory', async () => {
	const first = await send(WARM_UP);
	await n8n.executions.atLeast(workflow.id, WARM_UP);
	const before = residentMegabytes();

	const checksums = [...first, ...(await send(MAILS))];
	const executions = await n8n.executions.atLeast(workflow.id, checksums.length);

	expect(executions).toHaveLength(checksums.length);
	const received: string[] = [];
	for (const execution of executions) {
		const { json, binary } = startedWith(execution);
		const { id, fileName, mimeType } = binary?.attachment_0 as IBinaryData;
		expect(json).toMatchObject({ attachments: [{ fileName: 'film.bin', size: ATTACHMENT_BYTES }] });
		expect({ fileName, mimeType }).toEqual({
			fileName: 'film.bin',
			mimeType: 'application/x-film',
		});
		expect(JSON.stringify(execution).length).toBeLessThan(MEGABYTE);
		const path = `/rest/binary-data?id=${encodeURIComponent(id ?? '')}&action=download`;
		received.push(sha256(await n8n.session.download(path)));
	}
	expect(received.sort()).toEqual(checksums.sort());

	const after = await until(
		() => {
			const now = residentMegabytes();
			return now < before + NEAR_MEGABYTES && now;
		},
		{ describe: `n8n holds less than ${Math.round(before) + NEAR_MEGABYTES} MB`, timeout: 60_000 },
	);
	if (process.env.LARGE_MAILS !== undefined) {
		process.stderr.write(`resident before ${before} MB, after ${MAILS} mails ${after} MB\n`);
	}
});

/** What n8n's database has of a file; n8n is not running just then. */
const filesNamed = (fileName: string) => {
	const database = join(n8n.userFolder, '.n8n/database.sqlite');
	const output = execFileSync(n8n.host.node, [READER, database, FILES, fileName]);
	return JSON.parse(output.toString()) as { sourceType: string; sourceId: string }[];
};

it('with files in the database a workflow reads the attachment; n8n 2 neither shows it nor removes it with the execution', async () => {
	await n8n.workflows.delete(workflow.id);
	await n8n.restart({ N8N_DEFAULT_BINARY_DATA_MODE: 'database' });
	const reading = await n8n.workflows.create(
		chain('Files in the database', [
			{
				name: TRIGGER,
				type: 'n8n-nodes-email-identity.emailIdentityTrigger',
				typeVersion: 2,
				parameters: { options: { checkEvery: 0 } },
				credentials: { [CREDENTIAL_TYPE]: credential },
			},
			{
				name: 'Read',
				type: 'n8n-nodes-base.extractFromFile',
				typeVersion: 1,
				parameters: { operation: 'text', binaryPropertyName: 'attachment_0' },
			},
		]),
	);
	await n8n.workflows.activate(reading.id);
	await untilRegistered(n8n, reading);
	await sendMail(sandbox.smtpPort, {
		from: 'a@example.org',
		to: ADDRESS,
		subject: 'With a file',
		attachments: [{ filename: 'note.txt', content: 'Hello' }],
	});
	const [execution] = await n8n.executions.atLeast(reading.id, 1);
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
	expect(await n8n.executions.list(reading.id)).toEqual([]);
	await n8n.pause();
	expect(filesNamed('note.txt')).toMatchObject([{ sourceType: 'execution', sourceId: 'temp' }]);
});
