import { BoundedMap } from './cache';
import { monotonicNow } from './time';

const MAX_KEYS = 1000;

interface LoggedLine {
	/** Milliseconds, see `monotonicNow`. */
	loggedAt: number;
	/** How often it happened since then. */
	count: number;
}

/** Logs a line once in a period, so that strangers cannot fill the log. */
export class LogThrottle {
	private readonly lines = new BoundedMap<string, LoggedLine>(MAX_KEYS);

	constructor(private readonly periodMs = 60_000) {}

	/**
	 * @param about at least the workflow and the node
	 * @returns how often it happened since its last line; undefined if it must not be logged now
	 */
	pass(...about: ReadonlyArray<string | undefined>): number | undefined {
		const key = JSON.stringify(about);
		const line = this.lines.get(key) ?? { loggedAt: -Infinity, count: 0 };
		line.count += 1;
		const now = monotonicNow();
		if (now - line.loggedAt < this.periodMs) return undefined;
		this.lines.set(key, { loggedAt: now, count: 0 });
		return line.count;
	}
}
