import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { deriveSecret, withSecret } from '../../../nodes/EmailIdentity/shared/secret';
import { dialectNames } from '../../../sandbox';
import { serve } from '../api/support/connection';
import { json, reset, text, type Answer } from '../api/support/scriptedServer';
import { startDeliveryHost } from '../trigger/delivery/support/deliveries';
import {
	idOf,
	jsonOf,
	nodeIn,
	ownerCredential,
	run,
	sandbox,
	useAnotherSandbox,
	useSandbox,
} from './support/operation';

const SECRET = 'q7Zk-SECRET-4711_xyz';
const INSTANCE = 'instance-of-the-test';

useSandbox();

/** The node in an n8n whose public URL is the origin. */
const audit = async (options: INodeParameters, origin = 'https://n8n.example', helpers = {}) => {
	const type = nodeIn((context) => ({
		getInstanceId: () => INSTANCE,
		helpers: { ...context.helpers, ...helpers },
	}));
	const more = { type, webhookBaseUrl: `${origin}/webhook` };
	return jsonOf(await run('webhook audit', { auditOptions: options }, more));
};

const codesOf = ({ findings }: IDataObject): string[] =>
	(findings as IDataObject[]).map(({ code }) => String(code));

test.each(dialectNames)('each webhook has its finding, the worst first: %s', async (dialect) => {
	await useAnotherSandbox({ dialect });
	const add = (description: string, more: object = {}) =>
		sandbox.addWebhook({ url: `https://a.example/${description}`, description, ...more });
	add('good');
	add('one address', { identityId: idOf('sales@example.test') });
	add('paused', { enabled: false });
	add('another event', { events: ['message.sent'] });
	add('no event', { events: [] });
	add('private', { url: 'https://n8n:5678/webhook' });
	add("another account's identity", { identityId: idOf('person@other.test') });
	add('a domain', { identityId: idOf('example.test') });
	add('receives nothing', { identityId: idOf('info@pending.test') });
	add("another user's");
	add('two for one URL', { url: 'https://A.example/two?a=1' });
	add('the other one', {
		url: 'https://a.example:443/two?a=1',
		identityId: idOf('sales@example.test'),
	});
	sandbox.setOddities({
		show: (webhook) =>
			webhook.description === "another user's" ? { ...webhook, ownerId: 'someone' } : webhook,
	});
	const results = await audit({ minimumSeverity: 'info' });

	expect(Object.fromEntries(results.map((one) => [one.description, codesOf(one)]))).toEqual({
		good: [],
		'one address': [],
		paused: ['paused'],
		'another event': ['noSupportedEvent'],
		'no event': ['noSupportedEvent'],
		private: ['privateNetwork'],
		"another account's identity": ['identityMissing'],
		'a domain': ['restrictedToDomain'],
		'receives nothing': ['receivingOff'],
		"another user's": ['otherOwner'],
		'two for one URL': ['duplicate'],
		'the other one': ['duplicate'],
	});
	const worst = results.map(({ findings }) => (findings as IDataObject[])[0]?.severity ?? '');
	expect(worst).toEqual([...Array(3).fill('error'), ...Array(7).fill('warning'), '', '']);
	expect(results.map(({ healthy }) => healthy)).toEqual(
		worst.map((severity) => ['info', ''].includes(String(severity))),
	);
	expect(sandbox.requests().every(({ method }) => method === 'GET')).toBe(true);
});

test('a trigger webhook with a changed URL has a finding that names the host of that URL', async () => {
	const description = 'n8n: Flow / Mail';
	const path = 'https://other-n8n.example/webhook/0a1b/webhook';
	for (const url of [
		'https://elsewhere.example/hook?key=k3y',
		`https://elsewhere.example/hook?token=${SECRET}`,
		path,
		`${path}?token=${SECRET}`,
		`https://gateway.example/in?node=0a1b&token=${SECRET}`,
	]) {
		sandbox.addWebhook({ url, description });
	}
	sandbox.addWebhook({ url: 'https://crm.example/paused', description, enabled: false });
	const results = await audit({});
	const changed = results.filter((one) => codesOf(one).includes('urlChanged'));
	expect(changed.map(({ url }) => url)).toEqual([
		'https://elsewhere.example/hook?key=***',
		'https://elsewhere.example/hook?token=***',
		path,
	]);
	expect(changed[0]?.summary).toContain('elsewhere.example');
	expect(JSON.stringify(results)).not.toContain('k3y');
});

test('Minimum Severity and Only With Findings leave webhooks out, and the output masks secrets', async () => {
	const url = `https://a.example/hook?token=${SECRET}`;
	sandbox.addWebhook({ url, enabled: false, description: `to ${url}` });
	sandbox.addWebhook({ url });

	expect(await audit({ onlyWithFindings: true })).toEqual([
		{
			description: 'to https://a.example/hook?token=***',
			url: 'https://a.example/hook?token=***',
			enabled: false,
			healthy: false,
			summary: expect.stringMatching(/^to https:.+token=\*\*\*: .+paused/),
			findings: [{ code: 'paused', severity: 'warning', message: expect.any(String) }],
			id: expect.any(String),
		},
	]);
	expect(await audit({ onlyWithFindings: true, minimumSeverity: 'error' })).toEqual([]);
});

test.each([
	[false, 'warning', false],
	[true, 'info', true],
])(
	'with Allow Private Webhook URLs %s, a webhook in a private network has a finding of severity %s',
	async (isAllowed, severity, healthy) => {
		sandbox.addWebhook({ url: 'http://192.168.1.5:5678/webhook/x' });
		const [result] = jsonOf(
			await run('webhook audit', {}, { credential: ownerCredential(isAllowed) }),
		);

		expect(result).toMatchObject({ healthy, findings: [{ code: 'privateNetwork', severity }] });
		expect(Object.keys(result ?? {}).slice(0, 2)).toEqual(['healthy', 'summary']);
	},
);

describe("this n8n's own triggers", () => {
	const PATH = 'f3b1c9d0-5d0e-4c53-9a9e-0c64b7f3a1de';

	/** As the trigger gives it to the service. */
	const ownUrl = (origin: string, more: Partial<Parameters<typeof deriveSecret>[1]> = {}) => {
		const scope = { instanceId: INSTANCE, webhookPath: PATH, ...more };
		const { apiKey } = ownerCredential();
		const secret = deriveSecret(apiKey, { listening: 'production', ...scope });
		return withSecret(`${origin}/webhook/${scope.webhookPath}/webhook`, secret);
	};

	test('a trigger that answers has no error, starts no workflow and logs no warning', async () => {
		const credential = ownerCredential();
		const host = await startDeliveryHost({}, { credential, webhookId: PATH, instanceId: INSTANCE });
		sandbox.addWebhook({ url: ownUrl(host.url) });
		const results = await audit({ minimumSeverity: 'info' }, host.url);
		await host.stop();

		expect(results.flatMap(codesOf)).toEqual(['privateNetwork']);
		expect(host.outcomes).toEqual([{}]);
		expect(host.logLines().filter(({ level }) => level === 'warn')).toEqual([]);
	});

	test.each<[string, Answer]>([
		['error notPublished', json({ code: 404, message: 'not registered' }, 404)],
		['error unexpectedAnswer', text('Not Found', 404)],
		['error unexpectedAnswer', json({ error: 'no route' }, 404)],
		['error unexpectedAnswer', text('<title>Log in</title>')],
		['error redirected', text('', 301, { location: '/elsewhere' })],
		['info notReachable', reset],
	])('a trigger that does not answer as expected is a finding: %s', async (expected, answer) => {
		const server = await serve(answer);
		sandbox.addWebhook({ url: `${ownUrl(server.origin)}&more=1` });
		const [result] = await audit({ minimumSeverity: 'info' }, server.origin);

		const findings = result?.findings as IDataObject[];
		const [{ severity, code } = {}] = findings.filter((one) => one.code !== 'privateNetwork');
		expect(`${severity} ${code}`).toBe(expected);
		expect(server.requests).toEqual([`POST /webhook/${PATH}/webhook?token=`]);
		expect(server.keys).toEqual([undefined]);
	});

	test('a certificate that is not trusted is an error', async () => {
		const code = 'DEPTH_ZERO_SELF_SIGNED_CERT';
		const httpRequest = () => Promise.reject(Object.assign(new Error('self-signed'), { code }));
		sandbox.addWebhook({ url: ownUrl('https://n8n.example') });
		const results = await audit({}, 'https://n8n.example', { httpRequest });

		expect(results.flatMap(codesOf)).toEqual(['certificateNotTrusted']);
	});

	test('other URLs and the URLs of paused webhooks are not contacted', async () => {
		const server = await serve(text(''));
		const { origin } = server;
		const urls = [
			ownUrl(origin).replace(/token=.*/, 'token=guessed'),
			ownUrl(origin, { instanceId: 'another' }),
			ownUrl(origin, { listening: 'test' }),
			ownUrl(origin).replace('/webhook?', '?'),
			ownUrl(origin).replace(PATH, 'another'),
			ownUrl(origin.replace('127.0.0.1', 'localhost')),
			ownUrl(origin).replace('/webhook/', '/another/app/'),
			`${origin}/webhook/gateway?node=1&token=${SECRET}`,
		];
		urls.forEach((url) => sandbox.addWebhook({ url }));
		sandbox.addWebhook({ url: ownUrl(origin), enabled: false });
		const results = await audit({ minimumSeverity: 'info' }, origin);

		expect(server.requests).toEqual([]);
		const codes = results.flatMap(codesOf).filter((code) => code !== 'privateNetwork');
		expect(codes).toEqual(['leftFromTest', 'paused']);
	});
});
