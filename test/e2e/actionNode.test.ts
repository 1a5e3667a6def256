import { N8n } from '../support/n8n';
import { dialectNames, type Sandbox } from '../../sandbox';
import { actionOutput, runAction } from './support/actions';
import { ADDRESS, deploy } from './support/deployment';

const HOOK = 'https://hooks.example.com/inbound';

const byId = (id: unknown) => ({ __rl: true, mode: 'id', value: id });

let n8n: N8n;

beforeAll(async () => {
	n8n = await N8n.shared();
});

it.each(dialectNames)('every operation works (%s)', async (dialect) => {
	const { sandbox, credential } = await deploy(n8n, dialect);
	const output = async (parameters: Record<string, unknown>) =>
		await actionOutput(n8n, credential, parameters);
	const { owner } = sandbox.accounts;
	expect(await output({ resource: 'user', operation: 'get' })).toMatchObject([
		{ userId: owner.userId },
	]);

	const identity = { resource: 'identity' };
	const { id } = identityOf(sandbox, ADDRESS);
	const [one] = await output({ ...identity, operation: 'get', identityId: byId(id) });
	expect(one).toMatchObject({ id, value: ADDRESS, kind: 'email' });
	expect(one?.createdAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
	const all = await output({ ...identity, operation: 'getAll', returnAll: true });
	expect(valuesOf(all)).toEqual(valuesOf(owner.identities));
	const audited = await output({ ...identity, operation: 'audit' });
	expect(valuesOf(audited).sort()).toEqual(valuesOf(owner.identities).sort());

	const raw = `Message-ID: <kept@example.org>\r\nFrom: a@example.org\r\nTo: ${ADDRESS}\r\nSubject: Kept\r\n\r\nHello`;
	const { messages } = await sandbox.receiveMail(raw, { to: ADDRESS, deliver: false });
	const messageId = messages[0]?.fields.id;
	const get = { resource: 'message', operation: 'get', messageId };
	if (dialect === 'observed') {
		const { error } = await runAction(n8n, credential, get);
		expect(error?.message).toMatch(/single messages/);
	} else {
		const found = { subject: 'Kept', delivery: { id: messageId } };
		expect(await output(get)).toMatchObject([found]);
	}

	const webhook = { resource: 'webhook' };
	const [created] = await output({ ...webhook, operation: 'create', url: HOOK });
	const events = ['message.received'];
	expect(created).toMatchObject({ url: HOOK, enabled: true, events, ownerId: owner.userId });
	const webhookId = byId(created?.id);
	expect(await output({ ...webhook, operation: 'get', webhookId })).toEqual([created]);
	expect(await output({ ...webhook, operation: 'getAll', returnAll: true })).toEqual([created]);
	expect(await output({ ...webhook, operation: 'audit' })).toMatchObject([{ healthy: true }]);
	await output({ ...webhook, operation: 'pause', webhookId });
	expect(sandbox.webhooks()).toMatchObject([{ enabled: false }]);
	await output({ ...webhook, operation: 'resume', webhookId });
	expect(sandbox.webhooks()).toMatchObject([{ enabled: true }]);
	const updateFields = { description: 'Renamed' };
	const [updated] = await output({ ...webhook, operation: 'update', webhookId, updateFields });
	expect(updated).toMatchObject({ id: created?.id, description: 'Renamed', url: HOOK });
	const additionalFields = { description: 'Found by its URL' };
	const [found] = await output({ ...webhook, operation: 'upsert', url: HOOK, additionalFields });
	expect(found).toMatchObject({ id: created?.id, description: 'Found by its URL' });
	expect(await output({ ...webhook, operation: 'delete', webhookId })).toEqual([{ deleted: true }]);
	expect(sandbox.webhooks()).toEqual([]);
	await sandbox.stop();
});

const valuesOf = (identities: { value?: unknown }[]) =>
	identities.map(({ value }) => String(value)).sort();

function identityOf(sandbox: Sandbox, address: string): { id: string } {
	const identity = sandbox.accounts.owner.identities.find(({ value }) => value === address);
	if (!identity) throw new Error(`The sandbox has no identity ${address}.`);
	return identity;
}
