import type { IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';

import {
	findStartingEmail,
	isStartedBySample,
} from '../../../../nodes/EmailIdentity/operations/message/startingEmail';
import { itemAt, openSession } from '../../../../nodes/EmailIdentity/operations/session';
import { executeContext } from '../../support';
import { actionNode, actionNodeAs } from '../support/operation';

const TRIGGER = 'n8n-nodes-email-identity.emailIdentityTrigger';

/** What the trigger puts out for an email of somebody. */
const emailFrom = (name: string, id: string | null = `id-${name}`): IDataObject => ({
	thread: { answer: { to: `${name}@example.org`, subject: 'Re: Hello' }, noAnswer: null },
	delivery: { id, recipient: 'sales@example.test' },
});

const trigger = (name: string, ...items: IDataObject[]) => ({
	name,
	type: TRIGGER,
	items: items.length === 0 ? undefined : items.map((json) => ({ json })),
});

const edited = (pairedItem?: INodeExecutionData['pairedItem']): INodeExecutionData => ({
	json: { note: 'checked' },
	pairedItem,
});

interface Execution {
	triggers: Array<ReturnType<typeof trigger>>;
	/** Of the node before, which has an input from each trigger. */
	items?: INodeExecutionData[];
	type?: INodeType;
	connections?: string[];
	previousNode?: string | null;
}

async function itemIn({ triggers, items = [edited()], type, connections, ...more }: Execution) {
	const sources = triggers.map(({ name }) => name);
	const lines = sources.map((name) => `${name} > Edit`);
	const context = executeContext({
		type: type ?? actionNode,
		parameters: { resource: 'message', operation: 'reply' },
		name: 'Reply',
		others: [
			...triggers,
			{ name: 'Edit', type: 'test.edit', items, sources },
			{ name: 'Agent', type: 'test.agent' },
		],
		connections: connections ?? [...lines, 'Edit > Reply'],
		items: items.map(({ json }, index) => ({ json, pairedItem: { item: index } })),
		previousNode: 'Edit',
		...more,
	});
	return itemAt(await openSession(context), 0);
}

const answered = async (execution: Execution) => {
	const { trigger: name, id, answer } = await findStartingEmail(await itemIn(execution));
	return { trigger: name, id, to: answer?.to };
};

const problemOf = async (execution: Execution) => {
	const error = await answered(execution).then(
		(email) => new Error(`It answers ${email.to}`),
		(reason: unknown) => reason as Error & { description?: string },
	);
	return `${error.message}. ${'description' in error ? error.description : ''}`;
};

const ADA = { trigger: 'Mail', id: 'id-ada', to: 'ada@example.org' };
const BOB = { trigger: 'Other', id: 'id-bob', to: 'bob@example.org' };

test('behind other nodes, the email of the trigger is answered, also if each file has an item', async () => {
	const triggers = [trigger('Mail', emailFrom('ada'), emailFrom('ada'))];
	expect(await answered({ triggers })).toEqual(ADA);
});

test('a trigger that did not start the execution has no email', async () => {
	expect(
		await answered({ triggers: [trigger('Other'), trigger('Mail', emailFrom('ada'))] }),
	).toEqual(ADA);
});

describe('if two triggers have data', () => {
	const triggers = [trigger('Mail', emailFrom('ada')), trigger('Other', emailFrom('bob'))];
	const FIRST = { item: 0, input: 0 };
	const SECOND = { item: 0, input: 1 };

	test('the email that the item comes from is answered', async () => {
		expect(await answered({ triggers, items: [edited(FIRST)] })).toEqual(ADA);
		expect(await answered({ triggers, items: [edited(SECOND)] })).toEqual(BOB);
	});

	test.each<[string, INodeExecutionData['pairedItem']]>([
		['both', [FIRST, SECOND]],
		['none', undefined],
	])('an item that comes from %s is refused, and the error names both', async (_, pairedItem) => {
		const problem = await problemOf({ triggers, items: [edited(pairedItem)] });
		expect(problem).toMatch(/not clear which email/);
		for (const name of ["'Mail'", "'Other'"]) expect(problem).toContain(name);
	});
});

test('of several pinned emails, the one that the item comes from is answered, also without IDs', async () => {
	const triggers = [trigger('Mail', emailFrom('ada', null), emailFrom('bob', null))];
	const addresses = [0, 1].map(async (item) => {
		const { to } = await answered({ triggers, items: [edited({ item })] });
		return to;
	});
	expect(await Promise.all(addresses)).toEqual(['ada@example.org', 'bob@example.org']);
});

test('a trigger with Simplify off is named, because its email cannot be answered', async () => {
	const raw = { event: 'message.received', data: { message: { id: 'id-ada' } } };
	const triggers = [trigger('Other', emailFrom('bob')), trigger('Mail', raw)];
	expect(await problemOf({ triggers })).toMatch(/output of 'Mail'.*Simplify/);
});

test.each<[string, boolean, IDataObject[]]>([
	['a sample', true, [emailFrom('ada', 'sample-question')]],
	['a sample before another email', true, [emailFrom('ada', 'sample-invoice'), emailFrom('bob')]],
	['a sample with Simplify off', true, [{ data: { message: { id: 'sample-reply' } } }]],
	['an email', false, [emailFrom('ada')]],
	['an email with Simplify off', false, [{ data: { message: { id: 'id-ada' } } }]],
	['something else', false, [{ data: null }]],
])(
	'%s in the output of the trigger means that nobody must get an email: %s',
	async (_, expected, items) => {
		const item = await itemIn({ triggers: [trigger('Mail', ...items)] });
		expect(await isStartedBySample(item)).toBe(expected);
	},
);

describe('without a trigger', () => {
	const behind = (json: IDataObject): Execution => ({ triggers: [], items: [{ json }] });

	test('the item itself is answered, as in a sub-workflow', async () => {
		expect(await answered(behind(emailFrom('ada')))).toEqual({ ...ADA, trigger: undefined });
	});

	test.each([
		{},
		{ thread: {}, delivery: {} },
		{ thread: null, delivery: 'x' },
		{ thread: { answer: { to: 'ada@example.org' } } },
	])('the item %j is no email', async (json) => {
		expect(await problemOf(behind(json))).toMatch(/no email to answer.*Another Email/);
	});

	test('an item with an unknown reason is not answered', async () => {
		const json = { thread: { answer: null, noAnswer: 'x' }, delivery: { id: '' } };
		expect(await findStartingEmail(await itemIn(behind(json)))).toMatchObject({
			answer: null,
			noAnswer: 'automatic',
			id: null,
			recipient: null,
		});
	});
});

describe.each(['Tool', 'HitlTool'] as const)('for an agent, as emailIdentity%s', (suffix) => {
	const type = actionNodeAs(suffix);
	const connections = ['Mail > Edit', 'Edit > Agent', 'Reply > Agent: ai_tool'];
	const items = [{ json: emailFrom('eve') }];

	test.each(['Agent', 'Edit', 'Mail'])(
		'the email of the trigger is found if n8n names %s as the node before',
		async (previousNode) => {
			const triggers = [trigger('Mail', emailFrom('ada'))];
			const execution = { triggers, type, connections, items, previousNode };
			expect(await answered(execution)).toEqual(ADA);
		},
	);

	test('a server without a node before the tool has no email', async () => {
		const execution = { triggers: [], type, connections: [], items, previousNode: null };
		expect(await problemOf(execution)).toMatch(/no email to answer/);
		expect(await isStartedBySample(await itemIn(execution))).toBe(false);
	});

	test('the item, which a model can change, is no email', async () => {
		const execution = { triggers: [trigger('Mail')], type, connections, items };
		const problem = await problemOf({ ...execution, previousNode: 'Agent' });
		expect(problem).toMatch(/no email to answer/);
		expect(problem).not.toContain('Another Email');
	});
});
