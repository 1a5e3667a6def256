import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../../sandbox';
import { actionNode, chosen, itemsOf, requestLines, run } from './support/operation';

/** n8n hands on what an expression gives for a switch as it is: text of a spreadsheet, numbers, nothing. */
const EXPRESSION = '={{ $json.given }}';

let sandbox: Sandbox;
/** What the operations need besides. */
let others: INodeParameters;

beforeAll(async () => {
	sandbox = await startSandbox({ dialect: 'contract' });
	const { messages } = await sandbox.receiveMail('From: ada@example.com\r\n\r\nHello', {
		to: 'sales@example.test',
	});
	others = {
		webhookId: chosen(sandbox.addWebhook({ url: 'https://receiver.example/hook' }).id),
		identityId: chosen(sandbox.accounts.owner.identities[0]!.id),
		messageId: messages[0]!.fields.id,
		url: 'https://receiver.example/new',
	};
	sandbox.clearRecordings();
});

afterAll(async () => await sandbox.stop());

/** The switches at the top and in collections, in each operation that has them. */
const SWITCHES = actionNode.description.properties.flatMap((field) => {
	const { resource: [resource] = [], operation: [operation] = [] } =
		field.displayOptions?.show ?? {};
	const place = { resource: String(resource), operation: String(operation) };
	const nested = field.type === 'collection' ? (field.options as INodeProperties[]) : [];
	return [field, ...nested]
		.filter(({ type }) => type === 'boolean')
		.map(({ name, displayName }) => ({
			label: displayName,
			...{ ...place, [field.name]: name === field.name ? EXPRESSION : { [name]: EXPRESSION } },
		}));
});

test.each(SWITCHES)(
	'$label of $resource $operation refuses what is neither yes nor no, and nothing is written',
	async ({ label, ...parameters }) => {
		for (const given of ['perhaps', null]) {
			const items = itemsOf({ given });
			const { error, outputs } = await run(sandbox, { ...others, ...parameters }, { items });

			expect(error).toMatchObject({
				message: expect.stringContaining(label),
				description: expect.stringContaining('expression'),
				context: { itemIndex: 0 },
			});
			expect(outputs.flat()).toEqual([]);
		}
		expect(requestLines(sandbox).filter((line) => !line.startsWith('GET '))).toEqual([]);
	},
);
