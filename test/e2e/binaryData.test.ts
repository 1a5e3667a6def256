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

/** n8n 1.x has no mode `database`: it keeps the file in the execution. */
describe.each(['filesystem', 'database'])('with N8N_DEFAULT_BINARY_DATA_MODE=%s', (mode) => {
	const stage = onStage({
		start: async () => await N8n.start({ environment: { N8N_DEFAULT_BINARY_DATA_MODE: mode } }),
	});

	it('the next node reads a 10 MB attachment byte for byte, and the execution stays small', async () => {
		const content = randomBytes(10 * MEGABYTE);
		const workflow = await stage.publish({}, undefined, HASH);
		const attachments = [{ filename: 'film.bin', content, contentType: 'application/x-film' }];
		await stage.mail('A film', { attachments });
		const [execution] = await stage.n8n.executions.atLeast(workflow.id, 1);

		const sha256 = createHash('sha256').update(content).digest('hex');
		expect(itemsOf(execution!, HASH.name)).toMatchObject([{ json: { data: sha256 } }]);
		const [item] = itemsOf(execution!, TRIGGER);
		expect(item).toMatchObject({
			json: { attachments: [{ fileName: 'film.bin', size: content.length }] },
			binary: { attachment_0: { fileName: 'film.bin', mimeType: 'application/x-film' } },
		});
		if (stage.n8n.line === '1' && mode === 'database') return;
		expect(item?.binary?.attachment_0?.id).toMatch(`${mode}`);
		expect(JSON.stringify(execution).length).toBeLessThan(MEGABYTE);
	});
});
