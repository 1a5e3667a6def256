import type { FaultRule, Sandbox } from '../../../../sandbox';
import {
	forOne,
	identityOf,
	onlyWebhook,
	setTheScene,
	START,
	startScene,
	type Scene,
} from '../subscription/support/scene';

let sandbox: Sandbox;
let scene: Scene;

setTheScene((fresh) => ({ sandbox, scene } = fresh));

const status = (code: number): FaultRule => ({ answer: { type: 'status', status: code } });

const DAY = 24 * 60;

/** A repair takes two checks, and the third shows that it had no effect. */
const CHECKS = [15, 1, 1, 1, 15, DAY, 1, DAY];

/** Each with the title and the reason of its execution. */
const FAILURES: Array<[title: string, reason: string, fail: (identity: string) => void]> = [
	['identity is gone', 'No such identity', (id) => sandbox.removeIdentity(id)],
	['refuses the API key', 'API key', () => sandbox.addFault(status(401))],
	[
		'cannot be repaired',
		'still shows the old state',
		() => sandbox.setOddities({ keep: () => ({ enabled: false }) }),
	],
	[
		'cannot be repaired',
		'cannot create',
		() => {
			sandbox.removeWebhook(onlyWebhook(sandbox).id);
			sandbox.addFault({ method: 'POST', ...status(500) });
		},
	],
];

test.each(FAILURES)(
	'a failure that lasts is one failed execution: %s, %s',
	async (title, reason, fail) => {
		const { id } = identityOf(sandbox, 'email');
		const { check, failures } = await scene.activate({ parameters: forOne(id) });
		sandbox.editWebhook(onlyWebhook(sandbox).id, { identityId: null, enabled: false });
		fail(id);
		await check(...CHECKS);

		const message = expect.stringContaining(title) as string;
		const description = expect.stringContaining(reason) as string;
		expect(failures).toMatchObject([{ message, description, node: { name: 'Mail' } }]);
	},
);

test.each([{ answer: { type: 'drop' } } as FaultRule, status(404), status(503)])(
	'a service that does not answer is none: %j',
	async (fault) => {
		const { check, failures } = await scene.activate();
		sandbox.addFault(fault);
		await check(...CHECKS);

		expect(failures).toEqual([]);
	},
);

test('a service that takes too long is none', async () => {
	let isTooLong = false;
	const deadline = () => (isTooLong ? AbortSignal.abort() : new AbortController().signal);
	const { check, failures } = await startScene(sandbox, { deadline }).activate();
	isTooLong = true;
	await check(...CHECKS);

	expect(failures).toEqual([]);
});

test('a failure that passes and comes back is reported again after a day, not before', async () => {
	const { check, failures } = await scene.activate();
	const failing = async () => {
		sandbox.addFault(status(401));
		await check(15, 1);
		sandbox.clearFaults();
		await check(15, 15);
	};
	await failing();
	await failing();
	expect(failures).toHaveLength(1);
	await check(DAY);
	await failing();
	expect(failures).toHaveLength(2);
});

test('a failure that n8n finds at its start, and may have reported before, is reported a day later', async () => {
	const { staticData } = await scene.create();
	sandbox.addFault(status(401));
	const { check, failures } = await startScene(sandbox).activate({ ...START, staticData });
	await check(15, 1, DAY - 30);
	expect(failures).toEqual([]);
	await check(30);
	expect(failures).toHaveLength(1);
});
