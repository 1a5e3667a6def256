import type { IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import {
	mayReply,
	ReplyBrake,
} from '../../../../nodes/EmailIdentity/operations/message/replyBrake';
import type { Item } from '../../../../nodes/EmailIdentity/operations/operation';
import { offerFailedExecutions } from '../../../../nodes/EmailIdentity/shared/failedExecutions';

const HOUR_MS = 3_600_000;

let now = 0;
const brake = () => new ReplyBrake(() => now);

/** How many of forty replies are sent. */
const countOf = (allows: (index: number) => boolean) =>
	Array.from({ length: 40 }, (_, index) => allows(index)).filter(Boolean).length;

test.each<[string, (index: number) => string]>([
	['one subject', () => 'Re: Hello'],
	['a growing prefix', (index) => `${'Re: '.repeat(index)}Hello`],
	['a number that counts up', (index) => `Re: Ticket ${index} updated`],
	['another subject each time', (index) => `Re: ${'x'.repeat(index)}`],
])('two programs that answer each other stop below twenty emails: %s', (_, subjectOf) => {
	const one = brake();
	const total = countOf((index) =>
		one.allows('account', index % 2 ? 'a@example.org' : 'b@example.org', subjectOf(index)),
	);
	expect(total).toBeGreaterThan(5);
	expect(total).toBeLessThan(20);
});

test('a tag makes no other mailbox, and neither does case', () => {
	const one = brake();
	const total = countOf((index) => one.allows('account', `Ada+${index}@Example.org`, 'Hello'));
	expect(total).toBe(6);
});

test('other mailboxes and other accounts are not stopped', () => {
	const one = brake();
	expect(countOf((index) => one.allows('account', `a${index}@example.org`, 'Hello'))).toBe(40);
	expect(countOf((index) => one.allows(`account ${index}`, 'a@example.org', 'Hello'))).toBe(40);
});

test('after an hour, a mailbox gets replies again', () => {
	const one = brake();
	const send = () => countOf(() => one.allows('account', 'ada@example.org', 'Hello'));
	expect(send()).toBe(6);
	now += HOUR_MS - 1;
	expect(send()).toBe(0);
	now += 1;
	expect(send()).toBe(6);
});

test('replies that were not sent after all do not stop those after them', () => {
	const one = brake();
	const send = () => countOf(() => one.allows('account', 'ada@example.org', 'Hello'));
	expect(one.allows('account', 'ada@example.org', 'Hello')).toBe(true);
	one.takeBack('account', 'ada@example.org', 'Hello');
	expect(send()).toBe(6);
	one.takeBack('account', 'ada@example.org', 'Hello');
	expect(send()).toBe(1);
});

describe('in a workflow', () => {
	let lines: string[];
	let failures: string[];

	/** How many of forty replies a node sends. */
	function sendsOf(id: string, mode: WorkflowExecuteMode, credential = id): number {
		const context = {
			getMode: () => mode,
			getNode: () => ({ id, name: 'Reply', credentials: { emailIdentityApi: { id: credential } } }),
			getWorkflow: () => ({ id: 'flow' }),
			logger: { warn: (line: string) => void lines.push(line) },
		} as unknown as IExecuteFunctions;
		return countOf(() => mayReply({ context } as Item, 'bob@example.org', 'Hello'));
	}

	beforeEach(() => {
		lines = [];
		failures = [];
	});

	test('replies stop with one line in the log and one failed execution for each node', () => {
		const end = offerFailedExecutions('flow', ({ message }) => void failures.push(message));
		expect(sendsOf('one', 'trigger')).toBe(6);
		expect(sendsOf('two', 'webhook')).toBe(6);
		end();
		expect(lines).toEqual([
			expect.stringMatching(/flow.*stopped/),
			expect.stringMatching(/flow.*stopped/),
		]);
		expect(failures).toHaveLength(2);
	});

	test('nodes with one credential share the limit, and runs in the editor have none', () => {
		expect(sendsOf('three', 'manual', 'shared')).toBe(40);
		expect(sendsOf('three', 'trigger', 'shared')).toBe(6);
		expect(sendsOf('four', 'trigger', 'shared')).toBe(0);
	});
});
