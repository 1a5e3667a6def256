import { dialectNames, startSandbox, type Sandbox, type SandboxState } from '../../../../sandbox';
import { forOne, identityOf, START, startScene, TEST, type Call, onlyWebhook } from './scene';

const MINUTE = 60_000;

let sandbox: Sandbox;
let scene: ReturnType<typeof startScene>;
let untouched: SandboxState;

/** What the editor, or n8n's log, shows in place of an activation. */
const refusal = async (call: Call) =>
	await scene.create(call).then(
		() => 'it did not fail',
		(error: Error) => error.message,
	);

const only = () => onlyWebhook(sandbox);

const requests = () => {
	const made = sandbox.requests().map(({ method, path }) => `${method} ${path.split('/')[1]}`);
	sandbox.clearRecordings();
	return made;
};

/** As Kurrier 3.5.0 does it: subscriptions to it are for everything then. */
function deleteIdentity(id: string): void {
	sandbox.removeIdentity(id);
	for (const webhook of sandbox.webhooks()) {
		if (webhook.identityId === id) sandbox.editWebhook(webhook.id, { identityId: null });
	}
}

function bringBack(): void {
	sandbox.replaceState({ identities: untouched.identities });
}

/** An active node, and what n8n's scheduler does with it. */
async function activate(call: Call) {
	const { staticData } = await scene.create(call);
	const cron = (await scene.trigger(call))!;
	return {
		staticData,
		log: () => cron.logLines().map(({ message }) => message),
		/** Until what is wrong was seen, mended, and seen to be right. */
		async check() {
			scene.clock.now += 15 * MINUTE;
			for (let minute = 0; minute < 3; minute++) {
				await cron.tick();
				scene.clock.now += MINUTE;
			}
		},
	};
}

describe.each(dialectNames)('one identity, in a service that speaks %s', (dialect) => {
	beforeAll(async () => {
		sandbox = await startSandbox({ dialect });
		untouched = sandbox.dumpState();
	});

	afterAll(async () => {
		await sandbox.stop();
	});

	beforeEach(() => {
		sandbox.clearFaults();
		sandbox.replaceState(structuredClone(untouched));
		sandbox.clearRecordings();
		scene = startScene(sandbox);
	});

	it('is looked up when the workflow is published, and no more when all is right', async () => {
		const parameters = forOne(identityOf(sandbox, 'email').id);
		const { check } = await activate({ parameters });
		expect(requests()).toEqual(['GET identities', 'GET me', 'GET webhooks', 'POST webhooks']);
		expect(only().identityId).toBe(identityOf(sandbox, 'email').id);
		await check();
		expect(requests()).toEqual(['GET webhooks']);
	});

	it.each([
		[' https://mail.example/identities/Id%2F7/?tab=dns ', 'Id/7'],
		['https://mail.example/a/507f1f77bcf86cd799439011#top', '507f1f77bcf86cd799439011'],
	])('by the address %s is the one at its end, whatever IDs look like', async (value, id) => {
		const identityId = { __rl: true, mode: 'url', value };
		await refusal({ parameters: { receiveFor: 'one', identityId } });
		const [looked] = sandbox.requests();
		expect(looked?.path).toBe(`/identities/${encodeURIComponent(id)}`);
	});

	it.each<[string, Call]>([
		['publishing', {}],
		['listening for a test event', TEST],
	])('that is missing refuses %s in a sentence that names it', async (_, call) => {
		const { id } = identityOf(sandbox, 'email');
		sandbox.removeIdentity(id);
		expect(await refusal({ ...call, parameters: forOne(id) })).toBe(
			`The identity ${id} was not found in the account of the API key. It was deleted, or belongs to ` +
				'another account. Choose one of its own under Identity, or use the API key of the account that owns it.',
		);
		const chosen = forOne(id, 'lost@example.test (email, verified)');
		expect(await refusal({ ...call, parameters: chosen })).toMatch(
			/^The identity lost@example\.test /,
		);
		expect(sandbox.webhooks()).toEqual([]);
	});

	it('of another account is refused, also by a service that takes it', async () => {
		const { id } = identityOf(sandbox, 'email', 'other');
		expect(await refusal({ parameters: forOne(id) })).toMatch(
			/not found in the account of the API key/,
		);
		const shown = {
			id,
			ownerId: sandbox.accounts.other.userId,
			kind: 'email',
			value: 'hers@alice.example',
		};
		const show = (entry: object) =>
			sandbox.addFault({
				method: 'GET',
				path: `/identities/${id}`,
				answer: { type: 'status', status: 200, body: { data: entry } },
			});
		show(shown);
		expect(await refusal({ parameters: forOne(id) })).toMatch(
			/^The identity \S+ belongs to another account than the API key. Choose one/,
		);
		expect(sandbox.webhooks()).toEqual([]);
	});

	it.each(['sharedWithWorkspace', 'shared_with_workspace'])(
		'of somebody else that is shared (%s) is used',
		async (name) => {
			const { id, value } = identityOf(sandbox, 'email');
			const shown = {
				id,
				value,
				kind: 'email',
				ownerId: sandbox.accounts.other.userId,
				[name]: true,
			};
			sandbox.addFault({
				method: 'GET',
				path: `/identities/${id}`,
				answer: { type: 'status', status: 200, body: { data: shown } },
			});
			await scene.create({ parameters: forOne(id) });
			expect(only()).toMatchObject({ enabled: true, identityId: id });
		},
	);

	it('that is a domain is subscribed to without a restriction, and that is right', async () => {
		const domain = identityOf(sandbox, 'domain');
		const { staticData, check, log } = await activate({ parameters: forOne(domain.id) });
		expect(only()).toMatchObject({ enabled: true, identityId: null });
		expect(staticData.subscription).toMatchObject({
			identityId: domain.id,
			identityValue: domain.value,
			isForDomain: true,
		});
		requests();
		await check();
		expect(requests()).toEqual(['GET webhooks']);
		expect(log()).toEqual([]);
	});

	it('whose kind goes by another word is a domain by its value', async () => {
		const { id, value } = identityOf(sandbox, 'domain');
		const shown = { id, value, kind: 'host', ownerId: sandbox.accounts.owner.userId };
		sandbox.addFault({
			method: 'GET',
			path: `/identities/${id}`,
			answer: { type: 'status', status: 200, body: { data: shown } },
		});
		await scene.create({ parameters: forOne(id) });
		expect(only()).toMatchObject({ enabled: true, identityId: null });
	});

	it('is changed from an address to a domain and back while the workflow is active', async () => {
		const [address, domain] = [identityOf(sandbox, 'email').id, identityOf(sandbox, 'domain').id];
		let { staticData } = await scene.create({ parameters: forOne(address) });
		const { id } = only();
		for (const [chosen, restriction] of [
			[domain, null],
			[address, address],
		] as const) {
			const former = forOne(chosen === domain ? address : domain);
			({ staticData } = await scene.remove({ staticData, parameters: former }));
			expect(only().enabled).toBe(false);
			({ staticData } = await scene.create({ staticData, parameters: forOne(chosen) }));
			expect(only()).toMatchObject({ id, enabled: true, identityId: restriction });
		}
	});

	it('that is deleted pauses the subscription, is named in the log once, and resumes it when it is back', async () => {
		const { id, value } = identityOf(sandbox, 'email');
		const { check, log } = await activate({ parameters: forOne(id) });
		deleteIdentity(id);
		expect(only()).toMatchObject({ enabled: true, identityId: null });
		await check();
		expect(only()).toMatchObject({ enabled: false, identityId: null });
		await check();
		sandbox.editWebhook(only().id, { enabled: true });
		await check();
		expect(only().enabled).toBe(false);
		expect(log()).toEqual([expect.stringMatching(`paused.*identity ${value} was not found`)]);
		bringBack();
		await check();
		expect(only()).toMatchObject({ enabled: true, identityId: id });
		expect(log().slice(1)).toEqual([
			expect.stringMatching(/was mended \((resumed, identity|identity corrected, resumed)/),
		]);
		await check();
		expect(log()).toHaveLength(2);
	});

	it('that was deleted while n8n was down pauses the subscription at its start', async () => {
		const { id, value } = identityOf(sandbox, 'email');
		const { staticData } = await scene.create({ parameters: forOne(id) });
		deleteIdentity(id);
		scene = startScene(sandbox);
		const { logLines, ...left } = await scene.create({
			...START,
			staticData,
			parameters: forOne(id),
		});
		expect(only().enabled).toBe(false);
		expect(logLines).toEqual([
			{ level: 'error', message: expect.stringContaining(`The identity ${value} was not found`) },
		]);
		const cron = await scene.trigger({ ...left, parameters: forOne(id) });
		bringBack();
		scene.clock.now += 15 * MINUTE;
		await cron?.tick();
		scene.clock.now += MINUTE;
		await cron?.tick();
		expect(only()).toMatchObject({ enabled: true, identityId: id });
	});

	it('that is deleted while the service cannot pause is paused a minute later', async () => {
		const { id } = identityOf(sandbox, 'email');
		const { check, log } = await activate({ parameters: forOne(id) });
		deleteIdentity(id);
		sandbox.addFault({ method: 'PATCH', count: 1, answer: { type: 'status', status: 500 } });
		await check();
		expect(only().enabled).toBe(false);
		expect(log()).toEqual([
			expect.stringContaining('could not be checked'),
			expect.stringContaining('is paused'),
		]);
	});

	it('is put back where somebody took the restriction away', async () => {
		const { id } = identityOf(sandbox, 'email');
		const { check, log } = await activate({ parameters: forOne(id) });
		sandbox.editWebhook(only().id, { identityId: null });
		await check();
		expect(only()).toMatchObject({ enabled: true, identityId: id });
		expect(log()).toEqual([expect.stringContaining('was mended (identity corrected)')]);
	});

	it('that cannot be looked up is not taken for a missing one', async () => {
		const { id } = identityOf(sandbox, 'email');
		const { staticData } = await scene.create({ parameters: forOne(id) });
		const answer = {
			type: 'status',
			status: 403,
			body: { data: { error: { code: 'INSUFFICIENT_SCOPE' } } },
		} as const;
		sandbox.addFault({ path: '/identities/*', answer });
		expect(await refusal({ parameters: forOne(id), staticData })).toMatch(/lacks a right/);
		await scene.create({ ...START, parameters: forOne(id), staticData });
		expect(only().enabled).toBe(true);
	});
});
