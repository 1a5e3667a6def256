const LOOK_EVERY_MS = 1_000;

const parent = process.ppid;

/** Jest gives tests a copy of `process`, in which the parent's ID never changes. */
function isThere(processId: number): boolean {
	try {
		return process.kill(processId, 0);
	} catch {
		return false;
	}
}

/**
 * A measurement takes many minutes: one whose starter was killed must not go on for nobody. What it has
 * started ends with it.
 */
setInterval(() => {
	if (!isThere(parent)) process.kill(process.pid, 'SIGKILL');
}, LOOK_EVERY_MS).unref();
