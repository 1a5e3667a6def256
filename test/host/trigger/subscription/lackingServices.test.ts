import { type FaultRule, type Sandbox } from '../../../../sandbox';
import {
	ADDRESS,
	forOne,
	identityOf,
	START,
	setTheScene,
	type Scene,
	TEST,
	type Call,
} from './scene';

/** What a service has not, of what the contract describes, and what a person reads who publishes a workflow there. */

let sandbox: Sandbox;
let scene: Scene;

setTheScene((fresh) => ({ sandbox, scene } = fresh));

const failure = async (call: Call = {}) =>
	await scene.create(call).then(
		() => 'it did not fail',
		(error: Error) => error.message,
	);

describe('a service that cannot create webhooks through its API', () => {
	const CANNOT: FaultRule = { method: 'POST', answer: { type: 'status', status: 500 } };

	beforeEach(() => {
		sandbox.addFault(CANNOT);
	});

	it('makes publishing say what to enter by hand, without the secret', async () => {
		expect(await failure()).toBe(
			'The service could not create the webhook through its API. If it never can, create one in the ' +
				`service's own page, with the URL ${ADDRESS} and the event message.received: once the workflow is ` +
				'published again, this node takes it over and sets the rest.',
		);
		expect(sandbox.webhooks()).toEqual([]);
	});

	it('has one that was made so by hand taken over at the next publish: it gets the secret, the identity, the name', async () => {
		const { id: identityId } = identityOf(sandbox, 'email');
		const parameters = forOne(identityId);
		const message = await failure({ parameters });
		const url = /https:\S+/.exec(message)?.[0] ?? '';
		const { id } = sandbox.addWebhook({ url });
		const { staticData } = await scene.create({ parameters });
		expect(sandbox.webhooks()).toEqual([
			expect.objectContaining({
				id,
				enabled: true,
				identityId,
				description: 'n8n: Flow / Mail',
				url: expect.stringMatching(/\?token=[\w-]{43}$/),
			}),
		]);
		await scene.remove({ staticData, parameters });
		expect(sandbox.webhooks()).toEqual([expect.objectContaining({ id, enabled: false })]);
	});

	it('has one that was made by hand while n8n tries again taken over', async () => {
		await failure();
		await scene.remove();
		await failure();
		sandbox.addWebhook({ url: ADDRESS, enabled: false });
		await scene.create();
		expect(sandbox.webhooks()).toEqual([expect.objectContaining({ enabled: true })]);
	});

	it('says at its start, and at a check, what is to be made by hand', async () => {
		const { logLines } = await scene.create(START);
		expect(logLines).toEqual([
			{ level: 'error', message: expect.stringContaining(`with the URL ${ADDRESS} and`) },
		]);
		const cron = await scene.trigger();
		sandbox.addWebhook({ url: ADDRESS, enabled: false });
		scene.clock.now += 15 * 60_000;
		await cron?.tick();
		scene.clock.now += 60_000;
		await cron?.tick();
		expect(sandbox.webhooks()).toEqual([expect.objectContaining({ enabled: true })]);
	});

	it('has no test events, and listening for one says so', async () => {
		expect(await failure(TEST)).toMatch(/no test events.*publish the workflow/);
		expect(sandbox.webhooks()).toEqual([]);
	});
});

describe('Verify With the API in a service without single messages', () => {
	const parameters = { options: { verify: true } };
	const noRoute = { statusCode: 404, message: 'Cannot find any route matching /api/messages.' };
	const answering = (status: number, body: unknown = {}) =>
		sandbox.addFault({ path: '/messages/*', answer: { type: 'status', status, body } });

	it.each<[string, Call]>([
		['publishing', {}],
		['listening for a test event', TEST],
	])('is refused at %s, and nothing is made', async (_, call) => {
		answering(404, noRoute);
		expect(await failure({ ...call, parameters })).toBe(
			'This service cannot give single messages, so that Verify With the API would refuse every email. ' +
				'Switch Verify With the API off in the options of the Email Identity Trigger.',
		);
		expect(sandbox.webhooks()).toEqual([]);
	});

	it.each([404, 403, 400, 500, 503])('is published in doubt: %i', async (status) => {
		answering(status, { message: 'Message not found' });
		await scene.create({ parameters });
		expect(sandbox.webhooks()).toEqual([expect.objectContaining({ enabled: true })]);
	});

	it('does not stop n8n from starting, and is not asked about without the option', async () => {
		answering(404, noRoute);
		await scene.create();
		const { logLines } = await scene.create({ ...START, parameters });
		expect(logLines).toEqual([]);
		expect(sandbox.requests(({ path }) => path.startsWith('/messages'))).toEqual([]);
	});
});
