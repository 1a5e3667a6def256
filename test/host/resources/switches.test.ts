import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../../sandbox';
import { actionNode, chosen, itemsOf, requestLines, run } from './support/operation';

/** n8n hands on what an expression gives for a switch as it is: text of a spreadsheet, numbers, nothing. */

const EXPRESSION = '={{ $json.given }}';

let sandbox: Sandbox;
let webhookId: string;
let identityId: string;
let messageId: string;

beforeAll(async () => {
	sandbox = await startSandbox({ dialect: 'contract' });
	identityId = sandbox.accounts.owner.identities[0]?.id ?? '';
	const { messages } = await sandbox.receiveMail('From: ada@example.com\r\n\r\nHello', {
		to: 'sales@example.test',
	});
	messageId = messages[0]?.fields.id ?? '';
});

afterAll(async () => {
	await sandbox.stop();
});

beforeEach(() => {
	sandbox.replaceState({ webhooks: [] });
	webhookId = sandbox.addWebhook({ url: 'https://receiver.example/hook' }).id;
	sandbox.clearRecordings();
});

interface Switch {
	label: string;
	resource: string;
	operation: string;
	/** As the workflow stores an expression in its place. */
	parameters: INodeParameters;
}

/** The switches at the top and in collections, in each operation that has them. */
const SWITCHES = actionNode.description.properties.flatMap((field): Switch[] => {
	const { resource: [resource] = [], operation: [operation] = [] } =
		field.displayOptions?.show ?? {};
	const place = { resource: String(resource), operation: String(operation) };
	const isSwitch = ({ type }: INodeProperties) => type === 'boolean';
	if (isSwitch(field)) {
		return [{ ...place, label: field.displayName, parameters: { [field.name]: EXPRESSION } }];
	}
	const nested = field.type === 'collection' ? (field.options as INodeProperties[]) : [];
	return nested.filter(isSwitch).map(({ displayName, name }) => ({
		...place,
		label: displayName,
		parameters: { [field.name]: { [name]: EXPRESSION } },
	}));
});

const runWith = async (
	{ resource, operation, parameters }: Omit<Switch, 'label'>,
	given: unknown,
) =>
	await run(
		sandbox,
		{
			resource,
			operation,
			webhookId: chosen(webhookId),
			identityId: chosen(identityId),
			messageId,
			url: 'https://receiver.example/new',
			...parameters,
		},
		{ items: itemsOf({ given: given as string }) },
	);

test.each(SWITCHES)(
	'$label of $resource $operation refuses what is neither yes nor no, and nothing is written',
	async ({ label, ...place }) => {
		for (const given of ['perhaps', null]) {
			const { error, outputs } = await runWith(place, given);

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

test.each([
	['TRUE', true],
	[0, false],
])('Enabled takes %j for what it says', async (given, enabled) => {
	for (const { label, ...place } of SWITCHES) {
		if (label === 'Enabled' && place.operation !== 'upsert') await runWith(place, given);
	}

	expect(sandbox.webhooks().map((webhook) => webhook.enabled)).toEqual([enabled, enabled]);
});
