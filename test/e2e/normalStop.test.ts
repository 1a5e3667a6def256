import { N8n, until } from '../support/n8n';
import { onStage } from './support/stage';

const stage = onStage({ dialect: 'contract', start: async () => await N8n.start() });

it('a normal stop of n8n ends the deliveries under way, so that each starts its workflow once', async () => {
	const { n8n, sandbox } = stage;
	const verifying = { advanced: { checkEvery: 0, verify: true } };
	const workflows = [await stage.publish(verifying), await stage.publish(verifying)];
	// The deliveries are under way while n8n fetches their messages.
	sandbox.addFault({ method: 'GET', path: '/messages/*', delayBefore: 1_500 });
	const subjects = ['One', 'Two', 'Three'];
	for (const subject of subjects) await stage.mail(subject);
	const count = subjects.length * workflows.length;
	const isFetch = ({ path }: { path: string }) => path.startsWith('/messages/');
	await until('all messages are being fetched', () => sandbox.requests(isFetch).length >= count);
	await n8n.pause();
	await sandbox.deliveriesSettled();
	expect(sandbox.deliveries().map(({ status }) => status)).toEqual(Array(count).fill(200));
	await n8n.restart();
	for (const stopped of workflows) {
		const started = await stage.subjects(stopped, subjects.length);
		expect(started.sort()).toEqual([...subjects].sort());
	}
});
