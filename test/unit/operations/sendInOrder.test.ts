import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

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

beforeEach(() => {
	sent = [];
	hints = [];
	continues = false;
	stop = new AbortController();
});

/** What is known of the email of each item. */
type Email = Pick<PreparedEmail, 'key'> & {
	refused?: boolean;
	send?(): SendingResult;
};

async function run(...emails: Email[]) {
	const context = {
		getExecutionCancelSignal: () => stop.signal,
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
