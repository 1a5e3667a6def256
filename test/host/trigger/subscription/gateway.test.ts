import { dialectNames, type Sandbox } from '../../../../sandbox';
import {
	ADDRESS,
	START,
	setTheScene,
	startScene,
	type Scene,
	TEST,
	TEST_ADDRESS,
	WEBHOOK_ID,
	type Call,
	requestsSince,
	onlyWebhook,
} from './scene';

let sandbox: Sandbox;
let scene: Scene;

setTheScene((fresh) => ({ sandbox, scene } = fresh));

const requests = () => requestsSince(sandbox);

const only = () => onlyWebhook(sandbox);

describe('a Delivery URL', () => {
	const GATEWAY = 'https://gateway.example/in?key=k3y';
	const at = (deliveryUrl: string, options = {}) => ({
		parameters: { options: { deliveryUrl, ...options } },
	});
	const secretOf = (url: string) => new URL(url).searchParams.get('token');
	const failure = async (call: Call) =>
		await scene.create(call).then(
			() => 'it did not fail',
			(error: Error) => error.message,
		);

	it('is where the subscription points, with the same secret; n8n need not be public, and the log says where to hand on', async () => {
		await scene.create();
		const secret = secretOf(only().url);
		sandbox.replaceState({ webhooks: [] });
		const inside = { webhookBaseUrl: 'http://10.0.0.7:5678/webhook' };
		const { staticData, logLines } = await startScene(sandbox).create({
			...at(` ${GATEWAY} `),
			...inside,
		});
		expect(only().url).toMatch(/^https:\/\/gateway\.example\/in\?key=k3y&node=[-\w]{16}&token=/);
		expect(secretOf(only().url)).toBe(secret);
		expect(logLines).toEqual([
			{
				level: 'info',
				message: expect.stringMatching(
					new RegExp(
						'delivers to the Delivery URL at https://gateway\\.example\\. .* hand on each delivery, with its query, ' +
							`to http://10\\.0\\.0\\.7:5678/webhook/${WEBHOOK_ID}/webhook$`,
					),
				),
			},
		]);
		expect(JSON.stringify(staticData)).not.toMatch(/gateway\.example|k3y/);
	});

	it.each(dialectNames)(
		'that is added, changed and removed moves the one subscription (%s)',
		async (dialect) => {
			sandbox.setDialect(dialect);
			let { staticData } = await scene.create();
			const { id } = only();
			for (const deliveryUrl of [GATEWAY, `${GATEWAY}2`, 'https://gateway.example/in/', '']) {
				await scene.remove({ staticData });
				({ staticData } = await scene.create({ ...at(deliveryUrl), staticData }));
				expect(only()).toMatchObject({ id, enabled: true });
				expect(only().url.startsWith(deliveryUrl || `${ADDRESS}?`)).toBe(true);
			}
			sandbox.setDialect('observed');
		},
	);

	it('is found again without what was stored, also with another API key, and mended', async () => {
		await scene.create(at(GATEWAY));
		const { id, url } = only();
		sandbox.editWebhook(id, { enabled: false, url: url.replace(/token=.*/, 'token=former') });
		const { logLines } = await startScene(sandbox).create({ ...START, ...at(GATEWAY) });
		expect(only()).toMatchObject({ id, url, enabled: true });
		expect(logLines).toContainEqual({
			level: 'info',
			message: expect.stringContaining('was mended (address corrected, resumed)'),
		});
	});

	it('is paused when the workflow is switched off, and resumed', async () => {
		const { staticData } = await scene.create(at(GATEWAY));
		const left = await scene.remove({ ...at(GATEWAY), staticData });
		expect(only().enabled).toBe(false);
		requests();
		await scene.create({ ...at(GATEWAY), staticData: left.staticData });
		expect(requests()).toEqual(['GET webhooks', 'PATCH webhooks']);
		expect(only().enabled).toBe(true);
	});

	it('of two triggers is each one’s own: neither touches the other’s, and the log says what comes of it', async () => {
		const other = { ...at(GATEWAY), webhookId: 'ffff' };
		await scene.create(other);
		const theirs = only();
		const { staticData, logLines } = await scene.create(at(GATEWAY));
		expect(logLines).toContainEqual({
			level: 'warn',
			message: expect.stringMatching(`${theirs.id} deliver to its Delivery URL, too`),
		});
		expect(sandbox.webhooks()).toHaveLength(2);
		await scene.remove({ ...at(GATEWAY), staticData });
		expect(sandbox.webhooks().filter(({ enabled }) => enabled)).toEqual([theirs]);
	});

	it('where none can be created through the API takes over the one that the error names', async () => {
		sandbox.addFault({ method: 'POST', answer: { type: 'status', status: 500 } });
		const message = await failure(at(GATEWAY));
		expect(message).toMatch(/with the Delivery URL, with node=[-\w]{16} added to its query, and/);
		expect(message).not.toContain('k3y');
		const [node = ''] = /node=[-\w]{16}/.exec(message) ?? [];
		const made = sandbox.addWebhook({ url: `${GATEWAY}&${node}` });
		await scene.create(at(GATEWAY));
		expect(only()).toMatchObject({ id: made.id, url: expect.stringContaining('&token=') });
	});

	it.each([
		['gateway.example/in', /Delivery URL is not a complete address .* remove the option\.$/],
		['ftp://gateway.example', /Delivery URL must start with https:\/\//],
		['http://gateway.example', /must start with https:\/\/.*Allow Private Webhook URLs/],
		['https://10.0.0.7/in', /leads to the private .* 10\.0\.0\.7\. .*Allow Private Webhook URLs/],
		['https://me:secret@gateway.example', /must not hold a user name or password/],
		['https://gateway.example/?token=own', /has a parameter named token/],
		['https://gateway.example/?node=own', /has a parameter named node/],
	])('%s is refused in a clear sentence, and nothing is asked', async (deliveryUrl, sentence) => {
		const message = await failure(at(deliveryUrl));
		expect(message).toMatch(sentence);
		expect(message).not.toContain('secret@');
		expect(requests()).toEqual([]);
	});

	it('is not for test events, which say what else can be done where n8n is not public', async () => {
		await scene.create({ ...TEST, ...at(GATEWAY) });
		expect(only().url).toMatch(`${TEST_ADDRESS}?token=`);
		const inside = { webhookTestBaseUrl: 'http://10.0.0.7:5678/webhook-test' };
		expect(await failure({ ...TEST, ...at(GATEWAY), ...inside })).toMatch(
			/^Test events come to n8n's own address, .* http:\/\/10\.0\.0\.7:5678 must start with https.*Use Sample Email/,
		);
	});
});
