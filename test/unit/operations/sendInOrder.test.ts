import type { IExecuteFunctions, INode, NodeExecutionHint } from 'n8n-workflow';

import { serviceError } from '../../../nodes/EmailIdentity/api/failures/errors';
import type {
	Item,
	PreparedEmail,
	SendingOperation,
	SendingResult,
} from '../../../nodes/EmailIdentity/operations/operation';
import { sendInOrder } from '../../../nodes/EmailIdentity/operations/sendInOrder';
import type { Session } from '../../../nodes/EmailIdentity/operations/session';

let sent: number[];
let hints: string[];
let continues: boolean;
let stop: AbortController;
/** n8n's object for a run of the node, whose tries share it. */
let runOfNode: object;

beforeEach(() => {
	sent = [];
	hints = [];
	continues = false;
	stop = new AbortController();
	runOfNode = { node: { name: 'Email Identity' } };
});

/** What is known of the email of each item. */
type Email = Pick<PreparedEmail, 'key'> & {
	refused?: boolean;
	send?(): SendingResult;
};

async function run(...emails: Email[]) {
	const context = {
		getExecutionCancelSignal: () => stop.signal,
		getExecuteData: () => runOfNode,
		getInputData: () => emails.map(() => ({ json: {} })),
		getNode: () => ({ name: 'Email Identity' }),
		continueOnFail: () => continues,
		addExecutionHints: (hint: NodeExecutionHint) => void hints.push(hint.message),
	} as unknown as IExecuteFunctions;
	const prepare = async ({ index }: Item): Promise<PreparedEmail> => {
		const { key, refused = false, send = () => ({ json: { number: index } }) } = emails[index]!;
		if (refused) throw new Error(`Item ${index} is refused`);
		const sendOne = async () => {
			sent.push(index);
			return await Promise.resolve(send());
		};
		return await Promise.resolve({ key, send: sendOne });
	};
	const outputs = await sendInOrder(
		{ context } as Session,
		{ prepare } as Partial<SendingOperation> as SendingOperation,
	);
	return outputs.map(({ json }) => json);
}

const failing = (): never => {
	throw new Error('The service is down');
};

const descriptionOf = async (...emails: Email[]) => {
	const error = (await run(...emails).catch((reason: unknown) => reason)) as Error;
	return (error as Error & { description?: string }).description;
};

test('emails go in the order of the items, and of those with one key, the first one', async () => {
	const outputs = await run({ key: 'a' }, {}, { key: 'a' }, {});
	expect(outputs).toEqual([{ number: 0 }, { number: 1 }, { number: 0 }, { number: 3 }]);
	expect(sent).toEqual([0, 1, 3]);
});

test('nothing is sent if one item is refused', async () => {
	expect(await descriptionOf({}, { refused: true })).toBe('No other email was sent.');
	expect(sent).toEqual([]);
});

test('the error of an email says how many were sent before it: not those that repeat one, or were not sent', async () => {
	const notSent = () => ({ json: {}, hint: 'Not sent' });
	const description = await descriptionOf(
		{ key: 'a' },
		{ key: 'a' },
		{ send: notSent },
		{ send: failing },
		{},
	);
	expect(description).toMatch(/before this one: 1, and none after it\. .*again/);
	expect(sent).toEqual([0, 2, 3]);
	expect(await descriptionOf({ send: failing })).toBeFalsy();
});

test('if the node continues on failure, an email that may have been sent is not sent for another item', async () => {
	continues = true;
	const outputs = await run({ key: 'a', send: failing }, { key: 'a' }, { refused: true }, {});
	expect(outputs.map(({ error, number }) => error ?? number)).toEqual([
		'The service is down',
		'The service is down',
		'Item 2 is refused',
		3,
	]);
	expect(sent).toEqual([0, 3]);
});

test('after the execution is stopped, no other email is sent', async () => {
	const stopping = () => {
		stop.abort();
		return { json: {} };
	};
	await run({}, { send: stopping }, {}, {});
	expect(sent).toEqual([0, 1]);
});

test('the editor says once why emails were not sent', async () => {
	const send = () => ({ json: {}, hint: 'Automatic emails get no reply' });
	await run({ send }, { send }, {});
	expect(hints).toEqual(['Automatic emails get no reply']);
});

describe('when n8n tries a failed node again', () => {
	const uncertain = (): never => {
		const request = { method: 'POST', path: '/email/send', resource: 'email' } as const;
		const failure = { message: 'No answer', description: '', mayHaveActed: true };
		throw serviceError({ name: 'Email Identity' } as INode, request, failure);
	};

	test('only the emails that surely were not sent are sent', async () => {
		await expect(run({ key: 'a' }, {}, {}, { send: failing }, {})).rejects.toThrow('is down');
		const outputs = await run({}, {}, {}, {}, { key: 'a' });
		expect(outputs.map(({ number }) => number)).toEqual([0, 1, 2, 3, 0]);
		expect(sent).toEqual([0, 1, 2, 3, 3]);
	});

	test('an email that may have been sent keeps its error, also if it cannot be checked any more', async () => {
		const email = { send: uncertain };
		const [first, ...others] = [
			await descriptionOf(email),
			await descriptionOf(email),
			await descriptionOf({ refused: true }),
		];
		expect(first).toMatch(/may have been sent/);
		expect(others).toEqual([first, first]);
		expect(sent).toEqual([0]);
	});

	test('another run of the node sends its own emails', async () => {
		await run({});
		runOfNode = { ...runOfNode };
		await run({});
		expect(sent).toEqual([0, 0]);
	});

	describe('and it is a tool that shares the run of its agent', () => {
		beforeEach(() => {
			runOfNode = { node: { name: 'Agent' } };
		});

		test('another call sends its own email, also the same one again', async () => {
			await run({ key: 'a' });
			await run({ key: 'b' });
			await run({ key: 'b' });
			expect(sent).toEqual([0, 0, 0]);
		});

		test('only the same email that may have been sent is not sent again', async () => {
			const email = { key: 'a', send: uncertain };
			const description = await descriptionOf(email);
			expect(await descriptionOf(email)).toBe(description);
			await run({ key: 'b' });
			expect(sent).toEqual([0, 0]);
		});
	});
});
