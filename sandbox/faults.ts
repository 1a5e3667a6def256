import type { FaultAnswer, FaultRule } from './types';

/** Whether a path, relative to the base URL, fits a pattern: `*` is one segment. */
function matchesPath(pattern: string, path: string): boolean {
	const segments = path.split('/');
	const wanted = pattern.split('/');
	if (segments.length !== wanted.length) return false;
	return wanted.every((segment, index) => segment === '*' || segment === segments[index]);
}

const NEEDS_RIGHT_ANSWER: ReadonlyArray<FaultAnswer['type']> = [
	'truncatedJson',
	'contentType',
	'trickle',
];

/** Whether the service does what was asked before the fault shows. */
export function ruleActs({ acts, answer }: FaultRule): boolean {
	return acts ?? (answer === undefined || NEEDS_RIGHT_ANSWER.includes(answer.type));
}

interface ActiveRule {
	id: string;
	rule: FaultRule;
	skip: number;
	left: number;
}

/** The faults in the order they were added; the first that fits a request strikes. */
export class FaultRules {
	private rules: ActiveRule[] = [];
	private lastNumber = 0;

	/** @returns its ID */
	add(rule: FaultRule): string {
		const id = `fault-${++this.lastNumber}`;
		this.rules.push({ id, rule, skip: rule.skip ?? 0, left: rule.count ?? Infinity });
		return id;
	}

	/** Takes one use of the first fault that fits. @param inFlight requests under way, this one among them */
	take(method: string, path: string, inFlight: number): ActiveRule | undefined {
		for (const active of this.rules) {
			const { rule } = active;
			if (rule.method !== undefined && rule.method !== method) continue;
			if (rule.path !== undefined && !matchesPath(rule.path, path)) continue;
			if (inFlight <= (rule.above ?? 0)) continue;
			if (active.skip > 0) active.skip--;
			else if (active.left-- > 0) return active;
		}
		return undefined;
	}

	clear(): void {
		this.rules = [];
	}
}
