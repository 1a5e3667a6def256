import { type DialectName, dialects } from '../dialects/presets';
import type { Dialect } from '../dialects/dialect';
import type { Environment } from '../http/environment';
import type { Sandbox } from '../types';

type FaultControls = Pick<
	Sandbox,
	| 'setDialect'
	| 'addFault'
	| 'listFaults'
	| 'removeFault'
	| 'clearFaults'
	| 'setLimits'
	| 'setPaging'
	| 'setOddities'
	| 'inFlight'
>;

/** The switches, of a preset's name or as given; throws for a name that is no preset. */
function switchesOf(changes: DialectName | Partial<Dialect>): Partial<Dialect> {
	if (typeof changes !== 'string') return changes;
	const preset = dialects[changes];
	if (!preset) throw new Error(`There is no dialect "${String(changes)}".`);
	return preset;
}

/** How the service answers: its dialect, its faults, its limits. */
export function faultControls(environment: Environment): FaultControls {
	const { dialect, faults, flow } = environment;
	return {
		// In place: everything that speaks holds this very object.
		setDialect: (changes) => ({ ...Object.assign(dialect, switchesOf(changes)) }),
		addFault: (rule) => faults.add(rule),
		listFaults: () => faults.list(),
		removeFault: (id) => faults.remove(id),
		clearFaults: () => faults.clear(),
		setLimits: (limits) => {
			flow.limits = { ...flow.limits, ...limits };
			return { ...flow.limits };
		},
		setPaging: (paging) => {
			environment.paging = { ...paging };
		},
		setOddities: (oddities) => {
			environment.oddities = { ...oddities };
		},
		inFlight: () => flow.inFlight(),
	};
}
