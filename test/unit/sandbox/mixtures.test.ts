import { type Dialect, dialects, type Sandbox, startSandbox } from '../../../sandbox';
import { ask, subscribe } from './client';
import { startHookReceiver } from './receiver';

const inside: Array<[Partial<Dialect>, (body: never) => unknown]> = [
	[{ envelope: 'bare', listKey: 'none' }, (body) => body],
	[{ envelope: 'data', listKey: 'none' }, ({ data }: { data: unknown }) => data],
	[
		{ envelope: 'bare', listKey: 'resource' },
		({ identities }: Record<string, unknown>) => identities,
	],
	[{ envelope: 'bare', listKey: 'items' }, ({ items }: Record<string, unknown>) => items],
	[
		{ envelope: 'success', listKey: 'results' },
		({ data }: { data: Record<string, unknown> }) => data.results,
	],
];

describe('mixtures of dialects', () => {
	let sandbox: Sandbox;
	beforeEach(async () => {
		sandbox = await startSandbox({ dialect: { ...dialects.observed, fieldNames: 'snake' } });
	});
	afterEach(() => sandbox.stop());

	test.each(inside)('%j wraps a list as it says', async (switches, list) => {
		sandbox.setDialect(switches);
		const { json } = await ask(sandbox, 'GET /identities');
		expect(list(json as never)).toHaveLength(sandbox.accounts.owner.identities.length);
	});

	test('each switch can be set by itself', async () => {
		sandbox.setDialect({ jsonFields: 'text', deleteAnswer: 'empty', webhookFieldNames: 'snake' });
		const { json } = await ask(sandbox, 'GET /identities');
		const [identity] = (json as { data: unknown[] }).data;
		expect(identity).toMatchObject({ owner_id: expect.any(String), meta_data: '{"team":"sales"}' });
		const id = await subscribe(sandbox, 'https://hooks.example.com');
		expect((await ask(sandbox, `GET /webhooks/${id}`)).text).toContain('"owner_id"');
		expect((await ask(sandbox, `DELETE /webhooks/${id}`)).status).toBe(204);
	});

	const mail = (id: string) => `Message-ID: <${id}@s.example>\r\n\r\nHello`;
	const kept = (raw: string, to: string | string[]) => sandbox.receiveMail(raw, { to });

	test("the contract's service may drop repeats, stamp copies, or take mail for addresses only", async () => {
		sandbox.setDialect('contract');
		sandbox.setDialect({ dropsRepeats: true });
		const sales = 'sales@example.test';
		expect((await kept(mail('a'), sales)).messages).toMatchObject([{ rawEmail: mail('a') }]);
		expect((await kept(mail('a'), sales)).messages).toEqual([]);
		sandbox.setDialect({ dropsRepeats: false, stampsCopies: true });
		const [copy] = (await kept(mail('a'), sales)).messages;
		expect(copy?.rawEmail).toMatch(/^Delivered-To: sales@/);
		expect((await kept(mail('b'), 'any@example.test')).messages).toHaveLength(1);
		sandbox.setDialect({ domainsReceive: false });
		await expect(kept(mail('c'), 'any@example.test')).rejects.toThrow('No identity receives');
	});

	test("the contract's service may deliver everybody's mail, and name or hide whose it is", async () => {
		const receiver = await startHookReceiver();
		sandbox.setDialect('contract');
		sandbox.addWebhook({ url: receiver.url });
		const foreign = 'person@other.test';
		const owners = async (id: string) => {
			await (
				await kept(mail(id), foreign)
			).deliveries;
			return receiver.received.map(({ body }) => JSON.parse(body).data.message.owner_id);
		};
		expect(await owners('a')).toEqual([]);
		sandbox.setDialect({ deliversTo: 'everybody' });
		expect(await owners('b')).toEqual([undefined]);
		sandbox.setDialect({ messageNamesOwner: true });
		expect(await owners('c')).toEqual([undefined, sandbox.accounts.other.userId]);
		await receiver.stop();
	});

	test('one sandbox changed leaves the presets as they were', async () => {
		sandbox.setDialect('contract');
		sandbox.setDialect({ envelope: 'data' });
		expect(dialects.contract.envelope).toBe('bare');
		expect(dialects.observed.envelope).toBe('success');
	});
});
