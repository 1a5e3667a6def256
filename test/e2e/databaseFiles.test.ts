import { createHash, randomBytes } from 'node:crypto';
import { itemsOf, N8n } from '../support/n8n';
import { onStage, TRIGGER } from './support/stage';

const MEGABYTE = 1024 * 1024;

const HASH = {
	name: 'Hash',
	type: 'n8n-nodes-base.crypto',
	parameters: {
		action: 'hash',
		binaryData: true,
		binaryPropertyName: 'attachment_0',
		type: 'SHA256',
	},
};

const stage = onStage({
	start: async () => await N8n.start({ environment: { N8N_DEFAULT_BINARY_DATA_MODE: 'database' } }),
});

it('with files in the database, the next node reads an attachment byte for byte, and the execution stays small', async () => {
	const content = randomBytes(5 * MEGABYTE);
	const workflow = await stage.publish({}, undefined, HASH);
	await stage.mail('A film', { attachments: [{ filename: 'film.bin', content }] });
	const [execution] = await stage.n8n.executions.atLeast(workflow.id, 1);

	const sha256 = createHash('sha256').update(content).digest('hex');
	expect(itemsOf(execution!, HASH.name)).toMatchObject([{ json: { data: sha256 } }]);
	// n8n 1.x has no such mode and keeps the file in the execution.
	const { id = '' } = itemsOf(execution!, TRIGGER)[0]?.binary?.attachment_0 ?? {};
	const isInDatabase = id.startsWith('database');
	expect(isInDatabase).toBe(stage.n8n.line !== '1');
	expect(JSON.stringify(execution).length < MEGABYTE).toBe(isInDatabase);
});
