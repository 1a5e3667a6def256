import type { IDataObject } from 'n8n-workflow';

import { startDeliveryHost, type DeliveryHost } from './deliveries';
import { startScriptedDns, type ScriptedDns } from '../../../dns/scriptedDns';
import { rows } from '../../../rows';
import { composeMail, createSigner, delivered, signMail } from '../../../dns/signedMails';

/**
 * Eve may sign for her own domains whatever she likes, and has emails that Ada's server signed. Sender Check
 * with From is to let nothing through that Ada's domain did not sign.
 */
const ada = createSigner('example.com');
const eve = createSigner('evil.example');
/** Cyrillic letters: exаmple.com. */
const lookalike = createSigner('xn--exmple-4nf.com');

const LOOKALIKE = 'ex\u0430mple.com';

let doh: ScriptedDns;
let guarded: DeliveryHost;
let open: DeliveryHost;

beforeAll(async () => {
	doh = await startScriptedDns({ ...ada.zones, ...eve.zones, ...lookalike.zones });
	const parameters = { senderCheck: 'require', advanced: { dnsResolver: doh.address } };
	const filters = { from: 'example.com, ada@example.com, *@example.com' };
	guarded = await startDeliveryHost({ ...parameters, filters });
	open = await startDeliveryHost(parameters);
});

afterAll(async () => {
	await Promise.all([guarded.stop(), open.stop(), doh.stop()]);
});

const EVE = 'From: eve@evil.example';

const BODY =
	'To: inbox@example.org\r\nSubject: Pay\r\nMessage-ID: <pay@evil.example>\r\n\r\nPay at once.\r\n';

const written = (...fields: string[]) => `${fields.join('\r\n')}\r\n${BODY}`;

const byEve = async (...fields: string[]) => await signMail(written(...fields), eve);

const genuine = async () =>
	await composeMail({ from: 'Ada <ada@example.com>', messageId: '<genuine@example.com>' }, ada);

/** The fields that make up a signature, folded lines and all. */
const signatureOf = (raw: string) => /^DKIM-Signature:[^]+?\r\n(?![ \t])/m.exec(raw)?.[0] ?? '';

/** Headers that Eve signs. */
const SIGNED_BY_EVE = [
	...rows(`
		From: ada@example.com | From: eve@evil.example
		From: eve@evil.example | From: ada@example.com
		From: ada@example.com, eve@evil.example
		From: eve@evil.example, ada@example.com
		From: Friends: ada@example.com, eve@evil.example;
		From: ada@example.com: eve@evil.example;
		From: "ada@example.com" <eve@evil.example>
		From: ada@example.com <eve@evil.example>
		From: <ada@example.com> <eve@evil.example>
		From: =?utf-8?q?ada=40example.com?= <eve@evil.example>
		From: =?utf-8?b?PGFkYUBleGFtcGxlLmNvbT4sIA==?= <eve@evil.example>
		From: =?utf-8?q?ada=40example.com?=
		From: <=?utf-8?q?ada=40example.com?=@evil.example>
		From: ada@example.com (eve@evil.example)
		From: (ada@example.com) eve@evil.example
		From: ada@example.com(@evil.example)
		From: <@example.com,@evil.example:eve@evil.example>
		From: "ada@example.com"@evil.example
		From: ada@example.com@evil.example
		From: ada@example.com.evil.example
		From : ada@example.com | From: eve@evil.example
		fROM: ada@example.com | From: eve@evil.example
		Sender: ada@example.com
		From: ada@example.com`),
	['From:', ' ada@example.com', 'From: eve@evil.example'],
	['X-Note: a\rFrom: ada@example.com', 'From: eve@evil.example'],
	['X-Note: a\nFrom: ada@example.com', 'From: eve@evil.example'],
];

const OF_ADA = 'From: ada@example.com';
const VERDICT =
	'mx.example.org; dkim=pass header.d=example.com; dmarc=pass header.from=example.com';

/** What Eve sends. */
const FORGED: Array<[what: string, raw: () => Promise<string> | string]> = [
	...SIGNED_BY_EVE.map((fields): (typeof FORGED)[number] => [
		`her signature of ${JSON.stringify(fields)}`,
		() => byEve(...fields),
	]),
	['a From above what she signed', async () => `${OF_ADA}\r\n${await byEve(EVE)}`],
	['blank lines before the header', async () => `\r\n\r\n${OF_ADA}\r\n${await byEve(EVE)}`],
	['letters that look alike', () => signMail(written(`From: ada@${LOOKALIKE}`), lookalike)],
	['the same in ASCII', () => signMail(written(`From: ada@${lookalike.domain}`), lookalike)],
	['a signature of another email', async () => signatureOf(await genuine()) + written(OF_ADA)],
	['a From above', async () => `From: Boss <boss@example.com>\r\n${await genuine()}`],
	['a subject above', async () => `Subject: Pay\r\n${await genuine()}`],
	['another body', async () => (await genuine()).replace('invoice 42', 'invoice 43')],
	['a verdict of her own', () => written(`Authentication-Results: ${VERDICT}`, OF_ADA)],
	['a seal (ARC) alone', () => written(`ARC-Authentication-Results: i=1; ${VERDICT}`, OF_ADA)],
];

const fromOf = ({ json }: { json: IDataObject }) => (json.from as IDataObject | null)?.address;

test.each(FORGED)('%s does not come in as Ada', async (_what, make) => {
	const event = delivered(`forged-${Math.random()}`, await make());
	const [before, beforeOpen] = [guarded.started().length, open.started().length];
	const answers = await Promise.all([guarded.post(event), open.post(event)]);

	expect(answers.map(({ status }) => status)).toEqual([200, 200]);
	expect(guarded.started().length).toBe(before);
	// Without From it may come in as who she is: the address in the output is then in a domain of hers.
	const own = open
		.started()
		.slice(beforeOpen)
		.flatMap(([items = []]) => items.map(fromOf));
	for (const address of own) {
		expect(address).toMatch(
			/@(?:[^@]*\.)?(?:evil\.example|ex\u0430mple\.com|xn--exmple-4nf\.com)$/,
		);
	}
});

test('what Ada signed comes in as Ada, and Eve as Eve, so that nothing else filters out the others', async () => {
	const [before, beforeOpen] = [guarded.started().length, open.started().length];
	const asEve = await byEve('From: Ada <eve@evil.example>');
	const asLookalike = await signMail(written(`From: Bob <ada@${LOOKALIKE}>`), lookalike);
	for (const raw of [await genuine(), asEve, asLookalike]) {
		const event = delivered(`signed-${raw.length}`, raw);
		await Promise.all([guarded.post(event), open.post(event)]);
	}
	const items = open.started().slice(beforeOpen).flat(2);

	expect(guarded.started().length - before).toBe(1);
	expect(items.map(({ json }) => (json.delivery as IDataObject).authentication)).toMatchObject([
		{ result: 'pass', domain: 'example.com' },
		{ result: 'pass', domain: 'evil.example' },
		{ result: 'pass', domain: lookalike.domain },
	]);
});
