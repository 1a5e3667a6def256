import { inspect } from 'node:util';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { RESOURCES } from '../../../nodes/EmailIdentity/operations';
import { logLinesSince, searchList } from '../support';
import {
	actionNode,
	chosen,
	itemsOf,
	jsonOf,
	ownerCredential,
	run,
	sandbox,
	useSandbox,
} from './support/operation';

const SECRET = 'q7Zk-SECRET-4711_xyz';
const HOOK = 'https://n8n.example/webhook/1f0c/email';
const WHOLE = `${HOOK}?token=${SECRET}`;
const MASKED = `${HOOK}?token=***`;

useSandbox();

let webhookId: string;

beforeEach(() => {
	webhookId = sandbox.addWebhook({ url: WHOLE, description: 'Orders' }).id;
});

const webhook = async (operation: string, parameters: INodeParameters, item: IDataObject = {}) =>
	await run(`webhook ${operation}`, parameters, itemsOf(item));

describe('the Webhook drop-down', () => {
	const names = async () =>
		(
			await searchList({ type: actionNode, credential: ownerCredential() }, 'searchWebhooks')
		).results.map(({ name }) => name);

	test.each([WHOLE, `https://hooks.example/services/${SECRET}`, `no address ${SECRET}`])(
		'masks the secret of %s, because the editor stores the chosen name',
		async (url) => {
			sandbox.replaceState({ webhooks: [] });
			sandbox.addWebhook({ url, description: `for ${WHOLE}` });

			expect(await names()).toHaveLength(1);
			expect((await names()).join()).not.toContain(SECRET);
		},
	);
});

describe('the output of an operation that returns webhooks', () => {
	const operations =
		RESOURCES.find(({ value }) => value === 'webhook')?.operations.map(({ value }) => value) ?? [];

	/** The fields that any of the operations may need. A new operation that needs another one fails. */
	const everyField = (id: string): INodeParameters => ({
		webhookId: chosen(id),
		url: WHOLE,
		updateFields: { description: 'New' },
	});

	test.each(operations)('%s masks the secret in the URL', async (operation) => {
		const result = await webhook(operation, everyField(webhookId));

		expect(jsonOf(result)).toMatchObject([operation === 'delete' ? {} : { url: MASKED }]);
		expect(inspect(result.outputs, { depth: 20 })).not.toContain(SECRET);
	});

	test('shows the secret without Simplify', async () => {
		const parameters = { webhookId: chosen(webhookId), simplify: false };

		expect(jsonOf(await webhook('get', parameters))).toMatchObject([{ url: WHOLE }]);
	});

	test('does not let Get Many search for the secret', async () => {
		const found = async (urlContains: string) =>
			jsonOf(await webhook('getAll', { filters: { urlContains } })).length;

		expect(await found(SECRET.slice(0, 2))).toBe(await found('zz'));
		expect(await found(`token=${SECRET.slice(0, 2)}`)).toBe(await found('token=zz'));
		expect(await found('?token=')).toBe(1);
		expect(await found(MASKED)).toBe(1);
		expect(await found(WHOLE)).toBe(1);
	});
});

test.each([true, false])(
	'no output contains the API key that the service returns (Simplify %s)',
	async (simplify) => {
		const { apiKey } = ownerCredential();
		sandbox.addWebhook({ url: `${HOOK}?of=${encodeURIComponent(apiKey)}`, description: apiKey });
		const { id } = sandbox.addWebhook({ url: HOOK, description: `{"key":"${apiKey}"}` });
		const user = { data: { id: 'u-1', email: 'ada@example.com', [`key ${apiKey}`]: apiKey } };
		sandbox.addFault({ path: '/me', answer: { type: 'status', status: 200, body: user } });
		const shown = [
			await webhook('get', { webhookId: chosen(id), simplify }),
			await webhook('getAll', { simplify }),
			await webhook('update', {
				webhookId: chosen(id),
				updateFields: { description: `New ${apiKey}` },
				simplify,
			}),
			await webhook('audit', {}),
			await run('user get', { simplify }),
		];

		expect(shown.map(({ error }) => error)).toEqual(shown.map(() => undefined));
		expect(inspect(shown.map(jsonOf), { depth: 20 })).not.toContain(apiKey);
	},
);

test.each([
	`https://10.0.0.7/hook?token=${SECRET}`,
	`nothing?token=${SECRET}`,
	`ftp://${SECRET}@a`,
])('the error about the URL %s does not contain its secret', async (url) => {
	for (const [operation, parameters] of [
		['create', { url: '={{ $json.url }}' }],
		['upsert', { url: '={{ $json.url }}' }],
		['update', { webhookId: chosen(webhookId), updateFields: { url: '={{ $json.url }}' } }],
	] as const) {
		const { error } = await webhook(operation, parameters, { url });
		expect(error?.message).toMatch(/^The 'URL' /);
		expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(SECRET);
	}
	expect(inspect(logLinesSince(), { depth: 20, maxArrayLength: null })).not.toContain(SECRET);
});
