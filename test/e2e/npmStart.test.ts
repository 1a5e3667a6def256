import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';

import { freePort } from '../support/n8n/freePort';
import { until } from '../support/n8n';

const project = resolve(__dirname, '../..');

let endGroup: () => void;

afterEach(() => {
	try {
		endGroup();
	} catch {
		// All have ended.
	}
});

it('npm start ends with n8n and the stand-in when npm is killed, and leaves the port free', async () => {
	const port = await freePort();
	const script = `'${process.execPath}' scripts/start.mjs --port ${port}`;
	// The outer shell stands for npm, which starts its script in another one.
	const npm = spawn('sh', ['-c', `sh -c "${script}; true"; true`], {
		cwd: project,
		env: { ...process.env, npm_lifecycle_event: 'start' },
		stdio: ['pipe', 'pipe', 'inherit'],
		detached: true,
	});
	endGroup = () => process.kill(-npm.pid!, 'SIGKILL');
	const printed = text(npm.stdout);
	const isUp = async () =>
		await fetch(`http://localhost:${port}/healthz`).then(
			({ ok }) => ok,
			() => false,
		);
	await until('n8n answers', isUp);
	npm.kill('SIGKILL');
	// Each process that the script started for itself has the other end, and so has the one with the stand-in.
	expect(await printed).toContain('nothing is left');
	expect(await isUp()).toBe(false);
});
