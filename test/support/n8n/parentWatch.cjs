/**
 * Loaded into n8n with `--require`: n8n outlives a driver that is killed, so it watches the pipe that the
 * driver holds the other end of. The pipe ends with the driver, however that died.
 */
const { isMainThread } = require('node:worker_threads');

const GRACE_MS = 5_000;

function watchParent() {
	process.stdin.on('error', () => {});
	process.stdin.on('end', () => {
		setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS).unref();
		process.kill(process.pid, 'SIGTERM');
	});
	process.stdin.resume();
	process.stdin.unref?.();
}

// The threads that n8n starts load this too, with an input of their own that ends at once.
if (isMainThread) watchParent();
