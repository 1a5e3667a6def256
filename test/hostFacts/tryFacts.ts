import { DELIVERY_FACTS } from './facts/deliveries';
import { HOOK_FACTS } from './facts/hooks';
import { NODE_FACTS } from './facts/nodes';
import { SOURCE_FACTS } from './facts/sources';
import { ProbedHost, type HostFact } from './probedHost';

/** Result of trying a fact in one n8n. */
interface Result {
	fact: HostFact;
	outcome: 'holds' | 'does not hold' | 'could not be tried';
	/** what was seen, or why it could not be tried */
	seen: string;
}

/**
 * Tries every fact in a real n8n, one after the other.
 *
 * @param release a version, or one of the pinned releases
 * @param tell called after each fact
 * @returns the version and the results
 */
export async function tryFacts(
	release: string,
	tell: (result: Result) => void,
): Promise<{ version: string; results: Result[] }> {
	const host = await ProbedHost.start(release);
	try {
		const results: Result[] = [];
		for (const fact of [...HOOK_FACTS, ...DELIVERY_FACTS, ...NODE_FACTS, ...SOURCE_FACTS]) {
			if (fact.line !== undefined && fact.line !== host.n8n.line) continue;
			const result = await tryFact(fact, host);
			results.push(result);
			tell(result);
		}
		return { version: host.n8n.host.version, results };
	} finally {
		await host.stop();
	}
}

async function tryFact(fact: HostFact, host: ProbedHost): Promise<Result> {
	try {
		const [seen, expected] = await fact.attempt(host);
		const text = JSON.stringify(seen) ?? 'nothing';
		const holds = text === JSON.stringify(expected);
		return { fact, outcome: holds ? 'holds' : 'does not hold', seen: text };
	} catch (error) {
		return { fact, outcome: 'could not be tried', seen: String(error) };
	}
}

/** A line for a fact; below one that does not hold, the code that relies on it, and what was seen. */
export function toLines({ fact: { statement, usedIn }, outcome, seen }: Result): string {
	const first = `${outcome.padEnd(18)}  ${statement}`;
	return outcome === 'holds' ? first : `${first}\n    relied on in: ${usedIn}\n    seen: ${seen}`;
}
