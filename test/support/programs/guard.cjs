/**
 * Runs one program for a test and ends it when told to, or when the test's process has ended, however that
 * died: n8n and databases do not notice by themselves, and would go on for ever.
 *
 * Parameter: JSON `{ program, parameters, uid, gid, folder }`; the folder goes when the test's process is gone.
 * Messages from the test: the name of the signal to end the program with.
 */
const { spawn } = require('node:child_process');
const { rmSync } = require('node:fs');

const GRACE_MS = 15_000;
const { program, parameters, uid, gid, folder } = JSON.parse(process.argv[2]);

const child = spawn(program, parameters, { uid, gid, stdio: ['ignore', 'inherit', 'inherit'] });
child.once('error', (error) => {
	process.stderr.write(`${error.message}\n`);
	process.exit(1);
});
child.once('exit', (code) => {
	if (!process.connected && folder) rmSync(folder, { recursive: true, force: true });
	process.exit(code ?? 0);
});

function end(signal) {
	child.kill(signal);
	setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
}

process.on('message', end);
process.once('disconnect', () => end('SIGINT'));
// Ctrl-C reaches every process of the terminal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end('SIGINT'));
