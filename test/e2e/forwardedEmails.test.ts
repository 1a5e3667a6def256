import { startScriptedDns, type ScriptedDns } from '../dns/support/scriptedDns';
import { composeMail, createSigner } from '../dns/support/signedMails';
import { ADDRESS } from './support/deployment';
import { changeNode, installExample, installTable } from './support/examples';
import { onStage } from './support/stage';

const own = createSigner('example.com');
const elsewhere = createSigner('elsewhere.example');

const BOB = 'bob@example.com';
const EVE = 'eve@elsewhere.example';

const forwarded = (from: string) =>
	`Please answer.\n\n---------- Forwarded message ---------\nFrom: ${from}\nDate: Mon, Nov 23\nSubject: Stamps\nTo: <${BOB}>\n\n80 stamps.`;

const stage = onStage();

let dns: ScriptedDns;

beforeAll(async () => {
	dns = await startScriptedDns({ ...own.zones, ...elsewhere.zones });
});

afterAll(async () => {
	await dns?.stop();
});

it('"forwarded-emails" saves a row for an email that a colleague forwards, and none for any other email', async () => {
	const workflow = await installExample(stage, 'forwarded-emails');
	const table = await installTable(stage, 'forwarded-emails', workflow);
	const advanced = { checkEvery: 0, dnsResolver: dns.address };
	await changeNode(stage.n8n, workflow.id, 'Email Received', { advanced });
	await stage.activate(workflow);
	const send = async (from: string, subject: string, text: string) => {
		const signer = from === EVE ? elsewhere : own;
		const raw = await composeMail({ from, to: ADDRESS, subject, text }, signer);
		await stage.mail('', { raw, envelope: { from, to: [ADDRESS] } });
		await stage.sandbox.deliveriesSettled();
	};
	await send(EVE, 'Fwd: Stamps', forwarded('Bank <payments@bank.example>'));
	await send(BOB, 'Hello', 'Nothing to forward.');
	await send(BOB, 'Fwd: Stamps', forwarded('Zoë Sender <zoe@shop.example>'));
	await send(BOB, 'Fwd: Stamps', forwarded('Zoë Sender'));
	await stage.n8n.executions.atLeast(workflow.id, 3);

	const row = { forwarded_by: BOB, name: 'Zoë Sender', subject: 'Stamps' };
	expect(await stage.n8n.dataTables.rows(table)).toMatchObject([
		{ ...row, address: 'zoe@shop.example' },
		{ ...row, address: '' },
	]);
});
