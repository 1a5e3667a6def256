import { chosen, idOf, itemsOf, jsonOf, requestLines, run, useSandbox } from './support/operation';

useSandbox();

let id: string;

beforeEach(() => {
	id = idOf('example.test');
});

const get = async (locator: unknown, item = {}) =>
	await run('identity get', { identityId: locator as string }, itemsOf(item));

test.each([
	{ what: 'an entry of the list', locator: () => chosen(id, 'list') },
	{ what: 'an expression in place of the whole field', locator: () => '={{ $json.id }}' },
])('$what selects the identity', async ({ locator }) => {
	expect(jsonOf(await get(locator(), { id }))).toMatchObject([{ id }]);
	expect(requestLines()).toEqual([`GET /identities/${id}`]);
});

test.each([
	{ what: 'the ID of another service', entered: '507f1f77bcf86cd799439011' },
	{ what: 'a number', entered: 42 },
	{ what: 'a path', entered: '../webhooks' },
])('$what is sent unchanged, as one segment of the path', async ({ entered }) => {
	const path = `/identities/${encodeURIComponent(entered)}`;
	await get(chosen('={{ $json.entered }}'), { entered });
	await get(chosen(String(entered)));
	await get(chosen(String(entered), 'list'));

	expect(requestLines()).toEqual([`GET ${path}`, `GET ${path}`, `GET ${path}`]);
});

test.each([chosen('sales@example.test', 'address'), '={{ $json.address }}'])(
	'an address selects the identity: %j',
	async (locator) => {
		const items = jsonOf(await get(locator, { address: 'Sales+orders@example.test' }));
		expect(items).toMatchObject([{ id: idOf('sales@example.test') }]);
	},
);
