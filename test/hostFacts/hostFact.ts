import type { Line } from '../e2e/driver';
import type { ProbedHost } from './probedHost';

/** What an n8n was seen to do. */
export interface Observation {
	holds: boolean;
	/** in a few words, for whoever has to find out what changed */
	seen: string;
}

/** A statement about n8n that the code leans on. */
export interface HostFact {
	/** short, in words, unlike all others */
	name: string;
	/** what n8n does */
	statement: string;
	/** folders of `nodes/EmailIdentity/` whose code relies on it */
	usedIn: string[];
	/** the line of n8n that it is about, where it is about one */
	line?: Line;
	/** `n8n` where it is tried in a running one or with its libraries, `source` where only its files can tell */
	by: 'n8n' | 'source';
	/** @throws Error where it cannot be tried */
	attempt(host: ProbedHost): Promise<Observation>;
}

/**
 * Compares what was seen with what the code expects.
 *
 * @param seen compared by its JSON, in which what is undefined is left out
 */
export function expecting(seen: unknown, expected: unknown): Observation {
	const text = JSON.stringify(seen) ?? 'nothing';
	return { holds: text === JSON.stringify(expected), seen: text };
}
