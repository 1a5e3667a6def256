import { N8n } from './driver';
import type { CredentialReference } from './driver';
import { CREDENTIAL_TYPE } from './support/deployment';
import { createTriggerWorkflow, startedWith, TRIGGER } from './support/triggers';

/** Who has neither a mail at hand nor a public address: the service is not there at all, n8n's address is private. */

let n8n: N8n;
let credential: CredentialReference;

beforeAll(async () => {
	n8n = await N8n.shared();
	credential = await n8n.credentials.create(
		CREDENTIAL_TYPE,
		{ baseUrl: 'http://127.0.0.1:1', apiKey: 'any-key' },
		'Nobody there',
	);
});

const withSample = async (parameters: Record<string, unknown> = {}) =>
	await createTriggerWorkflow(n8n, credential, {
		...parameters,
		options: { checkEvery: 0, useSampleEmail: true },
	});

it('gives the sample email with its file, as often as it is asked for', async () => {
	const workflow = await withSample({
		filters: { from: 'somebody@else.example', hasAttachments: false },
	});
	for (const times of [1, 2]) {
		await n8n.workflows.listen(workflow.id, TRIGGER);
		const executions = await n8n.executions.atLeast(workflow.id, times);

		expect(executions.map(({ mode, status }) => ({ mode, status }))).toEqual(
			Array.from({ length: times }, () => ({ mode: 'manual', status: 'success' })),
		);
		const { json, binary } = startedWith(executions[0]!);
		expect(json).toMatchObject({ subject: 'Invoice 2026-042', from: { name: 'Ada Lovelace' } });
		expect(binary).toMatchObject({
			attachment_0: { fileName: 'invoice-2026-042.pdf', mimeType: 'application/pdf' },
		});
	}
});

it('is no longer listened for once it came', async () => {
	const workflow = await withSample();
	await n8n.workflows.listen(workflow.id, TRIGGER);
	await n8n.executions.atLeast(workflow.id, 1);
	const { webhookId } = workflow.nodes.find(({ name }) => name === TRIGGER)!;
	const answer = await fetch(`${n8n.url}/webhook-test/${webhookId}/webhook`, { method: 'POST' });
	expect(answer.status).toBe(404);
});
