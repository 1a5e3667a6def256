import { DELIVERY_FACTS } from './facts/deliveries';
import { HOOK_FACTS } from './facts/hooks';
import { NODE_FACTS } from './facts/nodes';
import { SOURCE_FACTS } from './facts/sources';
import { ProbedHost, type HostFact } from './probedHost';

/** Result of trying a fact in one n8n. */
interface Judgement {
	fact: HostFact;
	verdict: 'holds' | 'does not hold' | 'could not be tried';
	/** what was seen, or why it could not be tried */
	seen: string;
}

/**
 * Tries every fact in a real n8n, one after the other.
 *
 * @param release a version, or one of the pinned releases
 * @param tell called with each judgement as soon as it is there
 * @returns the version, and all judgements
 */
export async function judge(
	release: string,
	tell: (judgement: Judgement) => void,
): Promise<{ version: string; judgements: Judgement[] }> {
	const host = await ProbedHost.start(release);
	try {
		const judgements: Judgement[] = [];
		for (const fact of [...HOOK_FACTS, ...DELIVERY_FACTS, ...NODE_FACTS, ...SOURCE_FACTS]) {
			if (fact.line !== undefined && fact.line !== host.n8n.line) continue;
			const judgement = await judgeOne(fact, host);
			judgements.push(judgement);
			tell(judgement);
		}
		return { version: host.n8n.host.version, judgements };
	} finally {
		await host.stop();
	}
}

async function judgeOne(fact: HostFact, host: ProbedHost): Promise<Judgement> {
	try {
		const [seen, expected] = await fact.attempt(host);
		const text = JSON.stringify(seen) ?? 'nothing';
		const holds = text === JSON.stringify(expected);
		return { fact, verdict: holds ? 'holds' : 'does not hold', seen: text };
	} catch (error) {
		return { fact, verdict: 'could not be tried', seen: String(error) };
	}
}

/** A line for a fact; below one that does not hold, the code that relies on it, and what was seen. */
export function toLines({ fact: { statement, usedIn }, verdict, seen }: Judgement): string {
	const first = `${verdict.padEnd(18)}  ${statement}`;
	return verdict === 'holds' ? first : `${first}\n    relied on in: ${usedIn}\n    seen: ${seen}`;
}
