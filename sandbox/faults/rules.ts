import type { FaultAnswer, FaultRule } from '../types';
import { matchesPath } from './paths';

type ActiveRule = FaultRule & { id: string };

const actsByDefault: Record<FaultAnswer['type'], boolean> = {
	status: false,
	html: false,
	redirect: false,
	drop: false,
	truncatedJson: true,
	cutBody: true,
	contentType: true,
	trickle: true,
};

/** Whether the service does what was asked of it before the fault shows. */
export function ruleActs({ acts, answer }: FaultRule): boolean {
	return acts ?? (answer === undefined || actsByDefault[answer.type]);
}

/** The rules of faults in the order they were made; the first that fits a request applies. */
export class FaultRules {
	private readonly rules = new Map<string, { rule: ActiveRule; skip: number; left: number }>();
	private lastNumber = 0;

	/** @returns the rule's ID */
	add(rule: FaultRule): string {
		const id = rule.id ?? `fault-${++this.lastNumber}`;
		const state = { skip: rule.skip ?? 0, left: rule.count ?? Infinity };
		this.rules.set(id, { rule: { ...rule, id }, ...state });
		return id;
	}

	/** Takes one use of the first rule that fits. */
	take(method: string, path: string): ActiveRule | undefined {
		for (const entry of this.rules.values()) {
			const { rule } = entry;
			if (rule.method && rule.method.toUpperCase() !== method) continue;
			if (rule.path && !matchesPath(rule.path, path)) continue;
			if (entry.skip > 0) entry.skip--;
			else if (entry.left > 0) {
				entry.left--;
				return rule;
			}
		}
		return undefined;
	}

	/** With the uses that are left. */
	list(): FaultRule[] {
		return [...this.rules.values()].map(({ rule, skip, left }) => ({
			...rule,
			skip,
			...(Number.isFinite(left) && { count: left }),
		}));
	}

	remove(id: string): void {
		this.rules.delete(id);
	}

	clear(): void {
		this.rules.clear();
	}
}
