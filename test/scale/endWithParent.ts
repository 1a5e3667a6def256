const LOOK_EVERY_MS = 1_000;

const parent = process.ppid;

/**
 * A measurement takes many minutes: one whose starter was killed must not go on for nobody. What it has
 * started ends with it.
 */
setInterval(() => {
	if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, LOOK_EVERY_MS).unref();
