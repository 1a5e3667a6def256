import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 1_000;

/**
 * Ends this process when the npm that started it has ended. npm passes a signal only to its shell, and `kill -9` not even to that:
 * n8n would go on, and keep its port.
 */
export function endWithNpm() {
	if (process.env.npm_lifecycle_event === undefined) return;
	const started = ancestors();
	const look = setInterval(() => {
		if (ancestors() === started) return;
		clearInterval(look);
		const isHeard = process.emit('SIGTERM', 'SIGTERM');
		if (!isHeard) process.exit(143);
	}, LOOK_EVERY_MS);
	look.unref();
}

/** The shell, and npm. A process whose parent has ended gets another one. */
function ancestors() {
	const shell = process.ppid;
	return `${shell} ${parentOf(shell)}`;
}

/** @param {number} pid @returns {string} empty where the system has no `/proc` */
function parentOf(pid) {
	try {
		const status = readFileSync(`/proc/${pid}/status`, 'utf8');
		return /^PPid:\s*(\d+)/m.exec(status)?.[1] ?? '';
	} catch {
		return '';
	}
}
