import type { IDataObject } from 'n8n-workflow';

import { startDeliveryHost, type DeliveryHost } from './deliveries';
import { startScriptedDns, type ScriptedDns } from '../../../dns/scriptedDns';
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

const BODY =
	'To: inbox@example.org\r\nSubject: Pay\r\nMessage-ID: <pay@evil.example>\r\n\r\nPay at once.\r\n';

const written = (...fields: string[]) => `${fields.join('\r\n')}\r\n${BODY}`;

const byEve = async (...fields: string[]) => await signMail(written(...fields), eve);

const genuine = async () =>
	await composeMail({ from: 'Ada <ada@example.com>', messageId: '<genuine@example.com>' }, ada);

/** The fields that make up a signature, folded lines and all. */
const signatureOf = (raw: string) => /^DKIM-Signature:[^]+?\r\n(?![ \t])/m.exec(raw)?.[0] ?? '';

/** Headers that Eve signs. */
const SIGNED_BY_EVE: Array<[what: string, fields: string[]]> = [
	["Ada's From above her own", ['From: ada@example.com', 'From: eve@evil.example']],
	["Ada's From below her own", ['From: eve@evil.example', 'From: ada@example.com']],
	['two addresses', ['From: ada@example.com, eve@evil.example']],
	['two addresses, hers first', ['From: eve@evil.example, ada@example.com']],
	['a group', ['From: Friends: ada@example.com, eve@evil.example;']],
	['a group of one', ['From: ada@example.com: eve@evil.example;']],
	['an address for a name', ['From: "ada@example.com" <eve@evil.example>']],
	['an address for a name, plain', ['From: ada@example.com <eve@evil.example>']],
	['two in angle brackets', ['From: <ada@example.com> <eve@evil.example>']],
	['an encoded name', ['From: =?utf-8?q?ada=40example.com?= <eve@evil.example>']],
	[
		'an encoded name that looks like an address and another one',
		['From: =?utf-8?b?PGFkYUBleGFtcGxlLmNvbT4sIA==?= <eve@evil.example>'],
	],
	['an encoded address alone', ['From: =?utf-8?q?ada=40example.com?=']],
	['an encoded address in angle brackets', ['From: <=?utf-8?q?ada=40example.com?=@evil.example>']],
	['a comment', ['From: ada@example.com (eve@evil.example)']],
	['a comment before', ['From: (ada@example.com) eve@evil.example']],
	['a comment in the address', ['From: ada@example.com(@evil.example)']],
	['a route', ['From: <@example.com,@evil.example:eve@evil.example>']],
	['an at sign in quotes', ['From: "ada@example.com"@evil.example']],
	['two at signs', ['From: ada@example.com@evil.example']],
	['a name that ends like it', ['From: ada@example.com.evil.example']],
	['a blank before the colon', ['From : ada@example.com', 'From: eve@evil.example']],
	['a name of its own', ['fROM: ada@example.com', 'From: eve@evil.example']],
	['a folded field', ['From:', ' ada@example.com', 'From: eve@evil.example']],
	['a bare carriage return', ['X-Note: a\rFrom: ada@example.com', 'From: eve@evil.example']],
	['a bare line feed', ['X-Note: a\nFrom: ada@example.com', 'From: eve@evil.example']],
	['Sender in the place of From', ['Sender: ada@example.com']],
	['her signature under Ada’s From', ['From: ada@example.com']],
];

/** What Eve sends. */
const FORGED: Array<[what: string, raw: () => Promise<string>]> = [
	...SIGNED_BY_EVE.map(([what, fields]): (typeof FORGED)[number] => [
		what,
		async () => await byEve(...fields),
	]),
	[
		"Ada's From put above what was signed",
		async () => `From: ada@example.com\r\n${await byEve('From: eve@evil.example')}`,
	],
	[
		'blank lines before the header',
		async () => `\r\n\r\nFrom: ada@example.com\r\n${await byEve('From: eve@evil.example')}`,
	],
	[
		'letters that look alike, signed by the domain that has them',
		async () => await signMail(written(`From: ada@${LOOKALIKE}`), lookalike),
	],
	[
		'letters that look alike, in ASCII',
		async () => await signMail(written(`From: ada@${lookalike.domain}`), lookalike),
	],
	[
		'a signature of Ada on another email',
		async () => signatureOf(await genuine()) + written('From: ada@example.com'),
	],
	[
		'another From above an email of Ada',
		async () => `From: Boss <boss@example.com>\r\n${await genuine()}`,
	],
	['another subject above an email of Ada', async () => `Subject: Pay\r\n${await genuine()}`],
	[
		'another body in an email of Ada',
		async () => (await genuine()).replace('invoice 42', 'invoice 43'),
	],
	[
		'a verdict that she wrote herself',
		async () =>
			written(
				'Authentication-Results: mx.example.org; dkim=pass header.d=example.com; dmarc=pass header.from=example.com',
				'From: ada@example.com',
			),
	],
	[
		'a seal (ARC) alone',
		async () =>
			written(
				'ARC-Authentication-Results: i=1; mx.example.org; dkim=pass header.d=example.com',
				'From: ada@example.com',
			),
	],
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

test('a name that Eve gives herself counts for nothing, also where an expression brought it into From', async () => {
	const host = await startDeliveryHost({
		senderCheck: 'require',
		filters: { from: 'Ada Lovelace, ada' },
		advanced: { dnsResolver: doh.address },
	});
	try {
		await host.post(delivered('named', await byEve('From: Ada Lovelace <ada@evil.example>')));

		expect(host.started()).toEqual([]);
	} finally {
		await host.stop();
	}
});

test('what Ada signed comes in, so that nothing else filters out the others', async () => {
	const [before, beforeOpen] = [guarded.started().length, open.started().length];
	const event = delivered('genuine', await genuine());
	await Promise.all([guarded.post(event), open.post(event)]);

	expect([guarded.started().length - before, open.started().length - beforeOpen]).toEqual([1, 1]);
});

test('Eve comes in as Eve, so that her signatures are valid', async () => {
	const before = open.started().length;
	await open.post(delivered('eve', await byEve('From: Ada <eve@evil.example>')));
	await open.post(
		delivered('lookalike', await signMail(written(`From: Bob <ada@${LOOKALIKE}>`), lookalike)),
	);

	expect(
		open
			.started()
			.slice(before)
			.flatMap(([items = []]) =>
				items.map(({ json }) => (json.delivery as IDataObject).authentication),
			),
	).toMatchObject([
		{ result: 'pass', domain: 'evil.example' },
		{ result: 'pass', domain: lookalike.domain },
	]);
});
