import { startSandbox, type Sandbox } from '../../../sandbox';
import { run } from './support/operation';

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox();
});

afterEach(async () => {
	await sandbox.stop();
});

test('Execute Step gives up on a dead service before an execution in production would', async () => {
	await sandbox.goDown();
	const { error } = await run(sandbox, { resource: 'user', operation: 'get' }, { mode: 'manual' });

	expect(error?.message).toBe('The service cannot be reached');
	expect(error?.description).toMatch(/It was tried [2345] times\./);
});
