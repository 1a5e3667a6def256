import type { INodeParameters } from 'n8n-workflow';

import {
	chosen,
	idOf,
	itemsOf,
	jsonOf,
	nodeIn,
	requestLines,
	run,
	sandbox,
	useSandbox,
} from './support/operation';

const URL_OF_HOOK = 'https://receiver.example/hook';

/** Services accept any identity: another account's, and one that does not exist. */

useSandbox();

let mine: string;
let hers: string;

beforeEach(() => {
	mine = idOf('sales@example.test');
	hers = idOf('person@other.test');
});

const writes = () => requestLines().filter((line) => !line.startsWith('GET '));

const write = async (
	operation: string,
	identityId: string,
	more: INodeParameters = {},
	items = [{}],
) => {
	const { id } = sandbox.webhooks()[0] ?? sandbox.addWebhook({ url: URL_OF_HOOK });
	const url = operation === 'update' ? {} : { url: URL_OF_HOOK };
	const parameters = { receiveFor: 'one', identityId: chosen(identityId), ...url, ...more };
	return await run(
		`webhook ${operation}`,
		{ webhookId: chosen(id), ...parameters },
		itemsOf(...items),
	);
};

test.each(['create', 'upsert', 'update'])(
	"%s with another account's identity or a missing one is an error, and writes nothing",
	async (operation) => {
		sandbox.removeIdentity(mine);
		for (const id of [hers, mine]) {
			const { error } = await write(operation, id);
			expect(error).toMatchObject({
				message: expect.stringContaining(id),
				description: expect.stringContaining('API key'),
				context: { itemIndex: 0 },
			});
		}
		expect(writes()).toEqual([]);
	},
);

test.each(['create', 'upsert', 'update'])(
	'%s accepts an identity of the account, reads it once, and warns once of a domain',
	async (operation) => {
		const { hints } = await write(operation, idOf('example.test'), {}, [{}, {}]);
		expect(hints).toMatchObject([{ message: expect.stringContaining('example.test') }]);
		const reads = requestLines().filter((line) => line.startsWith('GET '));
		expect(reads).toEqual([...new Set(reads)]);

		const result = await write(operation, mine);
		expect(result.hints).toEqual([]);
		expect(sandbox.webhooks()).toContainEqual(
			expect.objectContaining({ id: jsonOf(result)[0]?.id, identityId: mine }),
		);
	},
);

test('Create accepts a domain in an n8n before 1.118, which cannot show hints', async () => {
	const type = nodeIn(() => ({ addExecutionHints: undefined }));
	const parameters = {
		url: URL_OF_HOOK,
		receiveFor: 'one',
		identityId: chosen(idOf('example.test')),
	};

	expect((await run('webhook create', parameters, { type })).error).toBeUndefined();
});

test.each([
	['one', () => mine],
	['all', () => null],
	['unchanged', () => hers],
])('Update accepts an expression that returns %j', async (who, expected) => {
	const { id } = sandbox.addWebhook({ url: URL_OF_HOOK, identityId: hers });
	const more = { receiveFor: '={{ $json.who }}', updateFields: { description: 'new' } };
	jsonOf(await write('update', mine, more, [{ who }]));

	expect(sandbox.webhooks()).toContainEqual(
		expect.objectContaining({ id, identityId: expected(), description: 'new' }),
	);
});

test('an identity that cannot be looked up is the error of the request', async () => {
	sandbox.addFault({ path: '/identities/*', answer: { type: 'status', status: 500 } });
	const { error } = await write('create', mine);

	expect(error).toMatchObject({ httpCode: '500' });
	expect(writes()).toEqual([]);
});

test('the error about a missing identity has its name from the list', async () => {
	const identityId = { ...chosen('a1', 'list'), cachedResultName: 'lost@example.test' };
	const { error } = await write('create', mine, { identityId });

	expect(error?.message).toContain('lost@example.test');
	expect(writes()).toEqual([]);
});
