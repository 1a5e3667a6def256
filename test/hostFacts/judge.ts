import type { HostFact } from './hostFact';
import { HOST_FACTS } from './facts';
import { ProbedHost } from './probedHost';

/** What became of a fact in one n8n. */
export interface Judgement {
	fact: HostFact;
	verdict: 'holds' | 'does not hold' | 'could not be tried';
	/** what was seen, or why it could not be tried */
	seen: string;
}

/**
 * Tries every fact in a real n8n, one after the other.
 *
 * @param release as `n8nHost` takes it: a version, or one of the pinned releases
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
		for (const fact of HOST_FACTS) {
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
		const { holds, seen } = await fact.attempt(host);
		return { fact, verdict: holds ? 'holds' : 'does not hold', seen };
	} catch (error) {
		const seen = error instanceof Error ? error.message : String(error);
		return { fact, verdict: 'could not be tried', seen };
	}
}

/** A line for a fact that holds; below any other what is said of it, where the code leans on it, and what was seen. */
export function toLines({ fact, verdict, seen }: Judgement): string {
	const first = `${verdict.padEnd(18)}  ${fact.name}${fact.by === 'source' ? '  (read, not tried)' : ''}`;
	if (verdict === 'holds') return fact.by === 'source' ? `${first}: ${seen}` : first;
	return [
		first,
		`    ${fact.statement}`,
		`    relied on in: ${fact.usedIn.join(', ')}`,
		`    seen: ${seen}`,
	].join('\n');
}
