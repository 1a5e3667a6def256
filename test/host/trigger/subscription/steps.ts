import * as fc from 'fast-check';
import type { FaultRule } from '../../../../sandbox';
import type { AccountName } from './world';

/** What a user, a service, a network or a power cut does. Numbers choose among what is there, modulo. */
export type Step =
	| {
			do: 'activate' | 'deactivate' | 'rename node' | 'rename workflow';
			workflow: number;
			trouble: Trouble;
	  }
	| { do: 'edit'; workflow: number; change: Edit; trouble: Trouble }
	| { do: 'duplicate'; workflow: number }
	| { do: 'copy to the other n8n'; workflow: number }
	| { do: 'switch credential' | 'listen' | 'end listening'; workflow: number; trouble: Trouble }
	| { do: 'restart' | 'move' | 'wait for the check'; instance: number; trouble: Trouble }
	| { do: 'edit credential in place'; instance: number }
	| { do: 'rotate key'; account: AccountName }
	| { do: 'delete the identity'; account: AccountName }
	| { do: 'bring the identity back'; account: AccountName }
	| { do: 'interfere'; workflow: number; with: Interference };

/** The steps that happen to a workflow in n8n, or to an n8n, and so can meet with trouble. */
export type StepOf<Subject extends 'workflow' | 'instance'> = Extract<
	Step,
	Record<Subject, number> & { trouble: Trouble }
>;

export type Edit =
	| 'all identities'
	| 'one identity'
	| 'one domain'
	| 'foreign identity'
	| 'gateway'
	| 'other gateway'
	| 'no gateway'
	| 'pause'
	| 'delete';

/** What people do to a subscription in the service. */
export type Interference =
	| 'pause'
	| 'delete'
	| 'double'
	| 'change address'
	| 'change events'
	| 'change identity'
	| 'foreign identity'
	| 'lift the restriction'
	| 'make one by hand'
	| 'change description'
	| 'drop the secret';

export type Fault =
	| '500'
	| '503'
	| '429'
	| '401'
	| '403'
	| '404'
	| 'broken JSON'
	| 'web page'
	| 'no answer, not done'
	| 'no answer, done'
	| 'gone';

/** What goes wrong during a step. */
export type Trouble =
	| { kind: 'none' }
	/** The process is killed after that many moments, two for each request. */
	| { kind: 'crash'; moment: number }
	| { kind: 'fault'; fault: Fault; skip: number; count: number }
	/** The list shows what was there that many steps ago, and nothing of what is done meanwhile. */
	| { kind: 'lag'; steps: number };

/** How the service shows subscriptions, and what it cannot do, all the time. */
export type Oddity = 'none' | 'creates nothing';

export const oddities: fc.Arbitrary<Oddity> = fc.oneof(
	{ weight: 3, arbitrary: fc.constant('none' as const) },
	{ weight: 1, arbitrary: fc.constant('creates nothing' as const) },
);

const FAULTS: Record<Fault, Partial<FaultRule>> = {
	'500': { answer: { type: 'status', status: 500 } },
	'503': { answer: { type: 'status', status: 503, headers: { 'retry-after': '0' } } },
	'429': { answer: { type: 'status', status: 429, headers: { 'retry-after': '0' } } },
	'401': { answer: { type: 'status', status: 401 } },
	// Of one subscription, 403 and 404 would be lies: there is nothing that a node could do about those.
	'403': { path: '/webhooks', answer: { type: 'status', status: 403 } },
	'404': { path: '/webhooks', answer: { type: 'status', status: 404 } },
	'broken JSON': { answer: { type: 'truncatedJson' } },
	'web page': { answer: { type: 'html' } },
	'no answer, not done': { answer: { type: 'drop' } },
	'no answer, done': { answer: { type: 'drop' }, acts: true },
	gone: { answer: { type: 'drop' } },
};

/** The sandbox's rule for a fault. A service that is gone answers nothing at all. */
export function ruleFor({ fault, skip, count }: Trouble & { kind: 'fault' }): FaultRule {
	return { ...FAULTS[fault], ...(fault === 'gone' ? {} : { skip, count }) };
}

const workflow = fc.nat(3);
const instance = fc.nat(1);

const trouble: fc.Arbitrary<Trouble> = fc.oneof(
	{ weight: 6, arbitrary: fc.constant({ kind: 'none' } as const) },
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('fault' as const),
			fault: fc.constantFrom(...(Object.keys(FAULTS) as Fault[])),
			skip: fc.nat(3),
			count: fc.integer({ min: 1, max: 3 }),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({ kind: fc.constant('crash' as const), moment: fc.nat(7) }),
	},
	{
		weight: 2,
		arbitrary: fc.record({ kind: fc.constant('lag' as const), steps: fc.nat(2) }),
	},
);

const onWorkflow = <Name extends string>(...names: Name[]) =>
	fc.record({ do: fc.constantFrom(...names), workflow, trouble });

const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 6, arbitrary: onWorkflow('activate') },
	{ weight: 3, arbitrary: onWorkflow('deactivate') },
	{ weight: 2, arbitrary: onWorkflow('rename node', 'rename workflow', 'switch credential') },
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('edit' as const),
			workflow,
			change: fc.constantFrom<Edit[]>(
				'all identities',
				'one identity',
				'one domain',
				'foreign identity',
				'gateway',
				'gateway',
				'other gateway',
				'no gateway',
				'pause',
				'delete',
			),
			trouble,
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constantFrom('duplicate' as const, 'copy to the other n8n' as const),
			workflow,
		}),
	},
	{ weight: 2, arbitrary: onWorkflow('listen') },
	{ weight: 2, arbitrary: onWorkflow('end listening') },
	{
		weight: 3,
		arbitrary: fc.record({
			do: fc.constantFrom('restart' as const, 'move' as const, 'wait for the check' as const),
			instance,
			trouble,
		}),
	},
	{
		weight: 1,
		arbitrary: fc.oneof(
			fc.record({ do: fc.constant('edit credential in place' as const), instance }),
			fc.record({
				do: fc.constant('rotate key' as const),
				account: fc.constantFrom('owner' as const, 'other' as const),
			}),
		),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constantFrom('delete the identity' as const, 'bring the identity back' as const),
			// The first workflow begins in this account.
			account: fc.constantFrom<AccountName[]>('owner', 'owner', 'owner', 'other'),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			do: fc.constant('interfere' as const),
			workflow,
			with: fc.constantFrom<Interference[]>(
				'pause',
				'delete',
				'double',
				'change address',
				'change events',
				'change identity',
				'foreign identity',
				'lift the restriction',
				'make one by hand',
				'change description',
				'drop the secret',
			),
		}),
	},
);

/** A sequence begins with an activation, or there would be little to go wrong. */
export const sequences: fc.Arbitrary<Step[]> = fc
	.array(step, { minLength: 2, maxLength: 9 })
	.map((steps) => [{ do: 'activate', workflow: 0, trouble: { kind: 'none' } }, ...steps]);

/** One step in words. */
export function tellStep(step: Step): string {
	const { trouble: what, ...rest } = { trouble: { kind: 'none' } as Trouble, ...step };
	const words = Object.entries(rest).map(([key, value]) =>
		key === 'do' ? value : `${key} ${value}`,
	);
	if (what.kind === 'crash') words.push(`n8n killed at moment ${what.moment}`);
	if (what.kind === 'lag') words.push(`list as ${what.steps} steps before`);
	if (what.kind === 'fault') {
		words.push(`service: ${what.fault} after ${what.skip} requests, ${what.count} times`);
	}
	return words.join(', ');
}
