import { startScriptedDns, type ScriptedDns } from '../dns/support/scriptedDns';
import { composeMail, createSigner } from '../dns/support/signedMails';
import { ADDRESS } from './support/deployment';
import { onStage } from './support/stage';

const bank = createSigner('bank.example');

const BANK = 'payments@bank.example';

const ZONES = { ...bank.zones, [`_dmarc.${bank.domain}`]: { TXT: ['v=DMARC1; p=reject'] } };

const stage = onStage();

let dns: ScriptedDns;

beforeAll(async () => {
	dns = await startScriptedDns(ZONES, { seconds: 0 });
});

afterAll(async () => {
	await dns?.stop();
});

it("Sender Check set to Require starts the workflow only for emails that the sender's domain signed", async () => {
	const mark = stage.n8n.log.mark();
	const workflow = await stage.publish({
		senderCheck: 'require',
		filters: { from: BANK },
		advanced: { checkEvery: 0, dnsResolver: dns.address },
	});
	const compose = async (subject: string, signer?: typeof bank) =>
		await composeMail({ from: BANK, to: ADDRESS, subject, text: 'Zahlung über 100 €' }, signer);
	const changed = (await compose('Changed', bank)).replace('100', '900');
	for (const raw of [await compose('Unsigned'), changed, await compose('Signed', bank)]) {
		await stage.mail('', { raw, envelope: { from: BANK, to: [ADDRESS] } });
		await stage.sandbox.deliveriesSettled();
	}

	const answers = stage.sandbox
		.deliveries()
		.map(({ status, responseBody }) => [status, responseBody]);
	const refused = [200, expect.stringMatching(/"ignored".*"filtered"/)];
	expect(answers).toEqual([refused, refused, [200, expect.stringContaining('"started"')]]);
	const [item, ...others] = await stage.started(workflow, 1);
	expect(others).toEqual([]);
	expect(item?.json).toMatchObject({
		subject: 'Signed',
		delivery: { authentication: { result: 'pass', domain: bank.domain, policy: 'reject' } },
	});
	for (const why of ['none', 'fail']) {
		const log = await stage.logged(mark, `Sender Check: ${why}`);
		expect(log).not.toMatch(/Zahlung|payments@|bank\.example/);
	}
});
