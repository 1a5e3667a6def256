import type { DeliveryRecord, Sandbox } from '../../sandbox';
import { startScriptedDns, type ScriptedDns } from '../dns/scriptedDns';
import { composeMail, createSigner, type Signer } from '../dns/signedMails';
import { N8n, until } from './driver';
import type { CredentialReference, StoredWorkflow } from './driver';
import { ADDRESS, deploy } from './support/deployment';
import { sendMail } from './support/sendMail';
import { createTriggerWorkflow, startedWith, TRIGGER, untilRegistered } from './support/triggers';

const bank = createSigner('bank.example');
const evil = createSigner('evil.example');

const BANK = 'payments@bank.example';

const KEY = `${bank.key.name}.${bank.domain}`;

const zonesOf = ({ domain, zones }: Signer) => ({
	...zones,
	[`_dmarc.${domain}`]: { TXT: ['v=DMARC1; p=reject'] },
});

let n8n: N8n;
let dns: ScriptedDns;
let sandbox: Sandbox;
let credential: CredentialReference;
let workflow: StoredWorkflow;

beforeAll(async () => {
	dns = await startScriptedDns({ ...zonesOf(bank), ...zonesOf(evil) }, { seconds: 0 });
	n8n = await N8n.shared();
	({ sandbox, credential } = await deploy(n8n, 'observed'));
});

afterAll(async () => {
	await sandbox?.stop();
	await dns?.stop();
});

afterEach(async () => {
	await n8n.workflows.delete(workflow.id);
	for (const { id } of sandbox.webhooks()) sandbox.removeWebhook(id);
	sandbox.clearRecordings();
});

async function publish(filters: object, options: object = {}): Promise<void> {
	workflow = await createTriggerWorkflow(n8n, credential, {
		filters,
		options: { checkEvery: 0, dnsResolver: dns.address, ...options },
	});
	await n8n.workflows.activate(workflow.id);
	await untilRegistered(n8n, workflow);
}

const compose = async (subject: string, signer?: Signer) =>
	await composeMail({ from: BANK, to: ADDRESS, subject, text: 'Zahlung über 100 €' }, signer);

/** Sends an email by SMTP as it is, and tells what became of its delivery. */
async function send(raw: string): Promise<DeliveryRecord> {
	const known = sandbox.deliveries().length;
	await sendMail(sandbox.smtpPort, { raw, envelope: { from: BANK, to: [ADDRESS] } });
	await sandbox.deliveriesSettled();
	const [delivery] = sandbox.deliveries().slice(known);
	if (delivery === undefined) throw new Error('Nothing was delivered.');
	return delivery;
}

const subjects = async () =>
	(await n8n.executions.atLeast(workflow.id, 1)).map(
		(execution) => startedWith(execution).json.subject,
	);

describe('Only Authenticated Senders, with From', () => {
	it("starts for what the sender's domain signed, and for nothing else", async () => {
		const mark = n8n.log.mark();
		await publish({ onlyAuthenticated: true, from: BANK });
		const changed = (await compose('Changed', bank)).replace('100', '900');
		const twoSenders = `From: ${BANK}\r\n${await composeMail(
			{ from: 'eve@evil.example', to: ADDRESS, subject: 'Two senders' },
			evil,
		)}`;

		const refused = [
			await send(await compose('Unsigned')),
			await send(changed),
			await send(await compose('Signed by somebody else', evil)),
			await send(twoSenders),
		];
		const taken = await send(await compose('Signed', bank));

		expect(refused.map(({ status, responseBody }) => `${status} ${responseBody}`)).toEqual(
			refused.map(() => expect.stringMatching(/^200 .*"ignored".*"filtered"/)),
		);
		expect(taken.status).toBe(200);
		expect(await subjects()).toEqual(['Signed']);
		for (const why of ['none', 'fail']) {
			const line = `Only Authenticated Senders: ${why}`;
			await until(() => n8n.log.text(mark).includes(line), { describe: `the log tells of ${why}` });
		}
		expect(n8n.log.text(mark)).not.toMatch(/Zahlung|payments@|bank\.example/);
	});

	it('lets nothing through while the DNS fails, and the repeat starts it', async () => {
		await publish({ onlyAuthenticated: true });
		dns.zones[KEY] = { serverFailure: 'SERVFAIL' };
		const refused = await send(await compose('Repeated', bank));
		const before = await n8n.executions.list(workflow.id);

		dns.zones[KEY] = bank.zones[KEY]!;
		const repeat = await sandbox.repeatDelivery(refused.id);
		const again = await sandbox.repeatDelivery(refused.id);

		expect([refused.status, repeat.status, again.status]).toEqual([503, 200, 200]);
		expect(before).toEqual([]);
		expect(await subjects()).toEqual(['Repeated']);
	});

	it('tells who listens for a test event why an email would start nothing', async () => {
		await publish({ onlyAuthenticated: true });
		await n8n.workflows.deactivate(workflow.id);
		await n8n.workflows.listen(workflow.id, TRIGGER);
		await send(await compose('Unsigned'));
		const [execution] = await n8n.executions.atLeast(workflow.id, 1);

		expect(JSON.stringify(execution)).toContain('Only Authenticated Senders');
	});
});

describe('Check Sender', () => {
	it('starts for every email, and says what is proved', async () => {
		await publish({}, { checkSender: true });
		await send(await compose('Signed', bank));
		await send(await compose('Unsigned'));
		const executions = await n8n.executions.atLeast(workflow.id, 2);

		const found = executions.map((execution) => {
			const { subject, delivery } = startedWith(execution).json as {
				subject: string;
				delivery: { authentication: object };
			};
			return [subject, delivery.authentication] as const;
		});
		expect(Object.fromEntries(found)).toMatchObject({
			Signed: { result: 'pass', domain: bank.domain, policy: 'reject' },
			Unsigned: { result: 'none', domain: bank.domain, policy: 'reject', signatures: [] },
		});
	});
});

it('nobody is asked where neither is on', async () => {
	await publish({ from: BANK });
	const before = dns.asked.length;
	await send(await compose('Not checked', bank));

	expect(await subjects()).toEqual(['Not checked']);
	expect(dns.asked.length).toBe(before);
});
