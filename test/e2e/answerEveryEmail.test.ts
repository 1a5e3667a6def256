import { ADDRESS } from './support/deployment';
import { installExample } from './support/examples';
import { onStage } from './support/stage';

const ROBOT = 'robot@example.org';

describe.each(['observed', 'fork'] as const)('in a service that speaks %s', (dialect) => {
	const stage = onStage({ dialect });

	it('"answer-every-email" answers an address once a day, even a robot without Auto-Submitted', async () => {
		const workflow = await installExample(stage, 'answer-every-email');
		await stage.activate(workflow);
		const messageId = await stage.mail('Hello', { from: ROBOT });
		const [first] = await stage.n8n.executions.atLeast(workflow.id, 1);
		expect(first?.status).toBe('success');
		await stage.sandbox.deliveriesSettled();
		await stage.mail('Away', { from: ROBOT, to: ADDRESS, text: 'I am away.' });

		const runs = await stage.n8n.executions.atLeast(workflow.id, 2);
		await stage.sandbox.deliveriesSettled();
		expect(runs.map((run) => run.nodes.Reply?.length ?? 0)).toEqual([1, 0]);
		expect(stage.sandbox.sentEmails()).toMatchObject([
			{
				from: ADDRESS,
				to: [ROBOT],
				subject: 'Re: Hello',
				inReplyTo: dialect === 'fork' ? messageId : null,
			},
		]);
		// The sent email is delivered as a message of the folder Sent, and starts nothing.
		const ignored = stage.sandbox.deliveries(({ responseBody }) => responseBody.includes('"sent"'));
		expect(ignored).toHaveLength(1);
	});
});
