import { until } from '../support/n8n';
import { ADDRESS } from './support/deployment';
import { startOtherServer, type OtherServer } from './support/otherServer';
import { onStage } from './support/stage';

const ROBOT = 'robot@example.org';

/** Emails of a robot that start the workflow within an hour (`trigger/delivery/steps/loopBrake.ts`). */
const MAX_STARTS = 10;

const stage = onStage();

let robot: OtherServer;

beforeAll(async () => {
	robot = await startOtherServer(async () => {
		// Nothing else would end the loop.
		if (robot.requests.length > 4 * MAX_STARTS) return;
		const headers = { 'Auto-Submitted': 'auto-replied' };
		await stage.mail('Away', { from: ROBOT, to: ADDRESS, text: 'I am away.', headers });
	});
});

afterAll(() => robot?.stop());

it('a workflow and a robot that answer each other stop after ten automatic replies', async () => {
	const answer = {
		name: 'Answer',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { method: 'POST', url: robot.url, options: {} },
	};
	const workflow = await stage.publish({}, undefined, answer);
	await stage.mail('Hello', { from: ROBOT });

	const ignored = () =>
		stage.sandbox.deliveries(({ responseBody }) => responseBody.includes('"loop"'));
	await until('a delivery is ignored', () => ignored().length > 0);
	await stage.sandbox.deliveriesSettled();
	expect(ignored()).toHaveLength(1);
	expect(await stage.n8n.executions.atLeast(workflow.id, 1 + MAX_STARTS)).toHaveLength(
		1 + MAX_STARTS,
	);
});
