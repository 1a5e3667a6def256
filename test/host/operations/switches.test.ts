import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import {
	actionNode,
	chosen,
	idOf,
	itemsOf,
	receive,
	requestLines,
	run,
	sandbox,
	useSandbox,
} from './support/operation';

/** n8n does not convert the value of an expression. */
const EXPRESSION = '={{ $json.given }}';

useSandbox({ dialect: 'contract' });

const SWITCHES = actionNode.description.properties.flatMap((field) => {
	const { resource: [resource] = [], operation: [operation] = [] } =
		field.displayOptions?.show ?? {};
	const nested = field.type === 'collection' ? (field.options as INodeProperties[]) : [];
	return [field, ...nested]
		.filter(({ type }) => type === 'boolean')
		.map(({ name, displayName }) => ({
			label: displayName,
			operation: `${String(resource)} ${String(operation)}`,
			parameters: { [field.name]: name === field.name ? EXPRESSION : { [name]: EXPRESSION } },
		}));
});

test.each(SWITCHES)(
	'$label of $operation is an error if it is neither true nor false, and nothing is written',
	async ({ label, operation, parameters }) => {
		const others: INodeParameters = {
			webhookId: chosen(sandbox.addWebhook({ url: 'https://receiver.example/hook' }).id),
			identityId: chosen(idOf('example.test')),
			messageId: await receive('Message-ID: <1@a.example>\r\n\r\nHello'),
			url: 'https://receiver.example/new',
		};
		for (const given of ['perhaps', null]) {
			const all = { ...others, ...parameters };
			const { error, outputs } = await run(operation, all, itemsOf({ given }));

			expect(error).toMatchObject({
				message: expect.stringContaining(label),
				description: expect.stringContaining('expression'),
				context: { itemIndex: 0 },
			});
			expect(outputs.flat()).toEqual([]);
		}
		expect(requestLines().filter((line) => !line.startsWith('GET '))).toEqual([]);
	},
);
