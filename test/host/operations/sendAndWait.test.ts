import type { IDataObject, IExecuteFunctions, INode, INodeParameters } from 'n8n-workflow';

import { linksIn } from '../../support/questionLinks';
import { runToWait, type ExecuteSetup, type WaitingRun } from '../support';
import {
	actionNode,
	actionNodeAs,
	chosen,
	itemsOf,
	nodeIn,
	ownerCredential,
	sandbox,
	useSandbox,
} from './support/operation';

const QUESTION = {
	resource: 'message',
	operation: 'sendAndWait',
	identityId: chosen('sales@example.test', 'address'),
	to: 'person@example.org',
	subject: 'Refund of order 17?',
	message: 'The customer asks for 80 EUR.',
};

const FREE_TEXT = { responseType: 'freeText' };

const PUBLIC = 'https://n8n.example.com/webhook';

useSandbox();

const ask = async (
	parameters: INodeParameters = {},
	more: Partial<ExecuteSetup> = {},
): Promise<WaitingRun> => {
	const run = await runToWait({
		type: actionNode,
		credential: ownerCredential(),
		webhookBaseUrl: PUBLIC,
		parameters: { ...QUESTION, ...parameters },
		...more,
	});
	await sandbox.deliveriesSettled();
	return run;
};

const lastEmail = () => sandbox.sentEmails().at(-1)!;

/** The links of the newest email, in their order. */
const links = () => linksIn(lastEmail().text);

test('the email has the question and a line for the link of each button', async () => {
	const { error, waitTill } = await ask();

	expect(error).toBeUndefined();
	expect(waitTill).toBeInstanceOf(Date);
	const { from, to, subject, text } = lastEmail();
	expect({ from, to, subject }).toEqual({
		from: 'sales@example.test',
		to: ['person@example.org'],
		subject: QUESTION.subject,
	});
	const link = /^https:\/\/n8n\.example\.com\/webhook-waiting\/execution-1\/[\w-]+\?\S+$/;
	expect(text?.trimEnd().split('\n')).toEqual([
		QUESTION.message,
		'',
		'Approve:',
		expect.stringMatching(link),
		'',
		'Decline:',
		expect.stringMatching(link),
	]);
	for (const url of links()) expect(lastEmail().html).toContain(url.replaceAll('&', '&amp;'));
});

test('the item may say who is asked', async () => {
	await ask({ to: '={{ $json.customer }}' }, itemsOf({ customer: 'customer@example.org' }));
	expect(lastEmail().to).toEqual(['customer@example.org']);
});

test('n8n knows the address of the page for opening it and for its form, while an execution waits', () => {
	const known = actionNode.description.webhooks?.map(({ httpMethod, restartWebhook, path }) => [
		httpMethod,
		restartWebhook,
		path,
	]);
	expect(known).toEqual([
		['GET', true, '={{ $nodeId }}'],
		['POST', true, '={{ $nodeId }}'],
	]);
});

test.each(['GET', 'HEAD', 'PUT'])('%s shows the question and decides nothing', async (method) => {
	const { request } = await ask();
	for (const link of links()) {
		const { status, body, continued } = await request(link, method, { answer: 'approve' });
		expect({ status, continued }).toEqual({ status: 200, continued: undefined });
		expect(body).toContain(QUESTION.message);
	}
});

test.each([
	['approve', true],
	['decline', false],
])(
	'the button %s of the page continues the workflow, whichever link opened it',
	async (value, approved) => {
		const { request } = await ask({ options: { answeredText: 'Merci' } });
		for (const link of links()) {
			const { body, continued } = await request(link, 'POST', { answer: value });
			expect(continued).toEqual([
				[
					{
						json: { data: { approved, respondedAt: expect.any(String) } },
						pairedItem: { item: 0 },
					},
				],
			]);
			expect(body).toContain('Merci');
		}
	},
);

test('an answer in own words continues the workflow with its text', async () => {
	const { request } = await ask(FREE_TEXT);
	const [link = '', ...others] = links();
	expect(others).toEqual([]);
	const text = 'Yes,\r\n<b>please</b>';
	const { continued } = await request(link, 'POST', { text });
	expect(continued?.[0]?.[0]?.json).toEqual({
		data: { text: 'Yes,\n<b>please</b>', respondedAt: expect.any(String) },
	});
});

test.each<[INodeParameters, IDataObject | undefined]>([
	[{}, undefined],
	[{}, { answer: '' }],
	[{}, { answer: ['approve'] }],
	[{}, { approved: 'true' }],
	[{ approvalOptions: { values: { approvalType: 'single' } } }, { answer: 'decline' }],
	[FREE_TEXT, undefined],
	[FREE_TEXT, { text: ' \n' }],
	[FREE_TEXT, { answer: 'approve' }],
])('with %j, a POST of %j shows the page again', async (parameters, fields) => {
	const { request } = await ask(parameters);
	const { status, body, continued } = await request(links()[0]!, 'POST', fields);
	expect({ status, continued }).toEqual({ status: 400, continued: undefined });
	expect(body).toContain(QUESTION.message);
});

test.each(['GET', 'POST'])(
	'a %s to the link of another question changes nothing',
	async (method) => {
		await ask({ message: 'First question' });
		const [first = ''] = links();
		const { request } = await ask({ message: 'Second question', options: { closedText: 'Fini' } });

		for (const link of [first, first.replace(/question=[^&]*/, ''), `${first}&question=x`]) {
			const { status, body, continued } = await request(link, method, { answer: 'approve' });
			expect({ status, continued }).toEqual({ status: 410, continued: undefined });
			expect(body).toContain('Fini');
			expect(body).not.toContain('Second question');
		}
	},
);

test('the page shows the words that were mailed, also if an expression changes later', async () => {
	const { request } = await ask({
		message: '={{ Math.random() }}',
		subject: '={{ Math.random() }}',
	});
	const { text, subject } = lastEmail();
	const [message = ''] = (text ?? '').split('\n');

	const { body } = await request(links()[0]!);
	expect(body).toContain(message);
	expect(body).toContain(subject);
});

test('the button of the email is the highlighted one of the page', async () => {
	const { request } = await ask();
	const highlighted = async (link: string) =>
		/value="(\w+)" class="primary"/.exec((await request(link)).body)?.[1];

	expect(await Promise.all(links().map(highlighted))).toEqual(['approve', 'decline']);
});

test.each([
	[
		'approval',
		{ approvalOptions: { values: { approveLabel: '<i>"\'&', disapproveLabel: '</a>' } } },
	],
	[
		'free text',
		{ ...FREE_TEXT, options: { messageButtonLabel: '<i>', responseFormButtonLabel: '<i>' } },
	],
])('nothing that the fields say becomes HTML: %s', async (_, parameters) => {
	const hostile = '</title><script>alert(1)</script><img src=x onerror="alert(1)">';
	const more = {
		options: { answeredText: hostile, ...((parameters as IDataObject).options as object) },
	};
	const { request } = await ask({
		...parameters,
		...more,
		subject: hostile,
		message: hostile,
	} as INodeParameters);
	const [link = ''] = links();
	const page = await request(link);
	const answered = await request(link, 'POST', { answer: 'approve', text: 'Yes' });

	for (const html of [lastEmail().html ?? '', page.body, answered.body]) {
		expect(html).toContain('&lt;script&gt;');
		expect(html).not.toMatch(/<script|<img|<i>|<i |"'|onerror="/);
	}
});

test('the headers of the page forbid scripts, loading and caching', async () => {
	const { request } = await ask();
	const [link = ''] = links();
	for (const { headers } of [
		await request(link),
		await request(link, 'POST', { answer: 'approve' }),
	]) {
		expect(headers).toMatchObject({
			'content-type': 'text/html; charset=utf-8',
			'cache-control': 'no-store',
			'referrer-policy': 'no-referrer',
			'x-robots-tag': expect.stringContaining('noindex'),
		});
		const policy = headers['content-security-policy']?.split('; ');
		expect(policy).toEqual(
			expect.arrayContaining([
				"default-src 'none'",
				"frame-ancestors 'none'",
				'sandbox allow-forms',
			]),
		);
		expect(policy?.join()).not.toMatch(/unsafe|script-src|allow-scripts|allow-same-origin/);
	}
	const { body } = await request(link);
	expect(body).not.toMatch(/ (?:lang|action|style|on\w+)=/);
});

test('every question has a link of its own that cannot be found in the execution', async () => {
	const found = new Set<string>();
	for (let count = 0; count < 3; count++) {
		const { data } = await ask();
		const value = new URL(links()[0]!).searchParams.get('question')!;
		expect(Buffer.from(value, 'base64url')).toHaveLength(32);
		expect(JSON.stringify(data)).not.toContain(value);
		found.add(value);
	}
	expect(found.size).toBe(3);
});

const nothingSent = async (asked: Promise<WaitingRun>, message: RegExp) => {
	const { error, waitTill } = await asked;
	expect(`${error?.message} ${error?.description}`).toMatch(message);
	expect({ waitTill, sent: sandbox.sentEmails() }).toEqual({ waitTill: undefined, sent: [] });
};

test.each<[string, INodeParameters, Partial<ExecuteSetup>, RegExp]>([
	['several items', {}, itemsOf({ id: 1 }, { id: 2 }), /one question at a time.*Loop Over Items/],
	['an empty message', { message: ' ' }, {}, /'Message' is empty/],
	['an empty subject', { subject: ' ' }, {}, /'Subject' is empty/],
	['two recipients', { to: 'a@example.org, b@example.org' }, {}, /one address/],
	['an unknown response type', { responseType: 'customForm' }, {}, /Response Type/],
	['a local address', {}, { webhookBaseUrl: 'http://localhost:5678/webhook' }, /N8N_WEBHOOK_URL/],
	['an amount of 0', { options: limited({ resumeAmount: 0 }) }, {}, /not in the future/],
])('with %s, nothing is sent and nothing waits', async (_, parameters, more, message) => {
	await nothingSent(ask(parameters, more), message);
});

function limited(values: IDataObject): INodeParameters {
	const usual = { limitType: 'afterTimeInterval', resumeAmount: 1, resumeUnit: 'hours' };
	return { limitWaitTime: { values: { ...usual, ...values } } } as INodeParameters;
}

test.each(['Ask "Ada"', "It's {{ $json }}", 'A\\u0041\\', 'é\n日本 🎉', '$&'])(
	'a node may be called %j',
	async (name) => {
		const { request } = await ask({}, { name });
		const { continued } = await request(links()[0]!, 'POST', { answer: 'approve' });
		expect(continued).toHaveLength(1);
	},
);

test('a button and a page have their usual words where the fields are empty', async () => {
	const approvalOptions = { values: { approveLabel: ' ', disapproveLabel: '' } };
	const { request } = await ask({ approvalOptions, options: { answeredText: '' } });
	expect(lastEmail().text).toMatch(/\nApprove:\n.*\n\nDecline:\n/);
	const { body } = await request(links()[0]!, 'POST', { answer: 'decline' });
	expect(body).toContain('Thank you');
});

test.each<[string, (context: IExecuteFunctions) => object, RegExp]>([
	['does not sign links', () => ({ getSignedResumeUrl: undefined }), /n8n 1\.107 or newer/],
	[
		'evaluates an operation that it does not find again',
		(context) => ({
			getNode: () => ({ ...context.getNode(), parameters: { operation: "={{ 'sendAndWait' }}" } }),
		}),
		/must not be an expression/,
	],
	['keeps nothing with the execution', () => ({ getContext: () => ({}) }), /did not keep it/],
])('in an n8n that %s, nothing is sent and nothing waits', async (_, differences, message) => {
	await nothingSent(ask({}, { type: nodeIn(differences) }), message);
});

test('where n8n checks signatures only on request, the node requests it', async () => {
	const setSignatureValidationRequired = jest.fn();
	await ask({}, { type: nodeIn(() => ({ setSignatureValidationRequired })) });
	expect(setSignatureValidationRequired).toHaveBeenCalledTimes(1);
});

test('if the service refuses the email, nothing waits', async () => {
	sandbox.addFault({
		method: 'POST',
		path: '/email/send',
		answer: { type: 'status', status: 403 },
	});
	await nothingSent(ask(), /./);
});

test('the credential can allow links into a private network', async () => {
	const credential = ownerCredential(true);
	const { waitTill } = await ask({}, { credential, webhookBaseUrl: 'http://10.0.0.7/webhook' });
	expect(waitTill).toBeDefined();
	expect(links()[0]).toMatch(/^http:\/\/10\.0\.0\.7\/webhook-waiting\//);
});

test.each([
	[{}, { approved: false, respondedAt: null }],
	[FREE_TEXT, { text: '', respondedAt: null }],
])(
	'after the limit, the output of an earlier question is no answer to %j',
	async (parameters, data) => {
		const earlier = { order: 17, data: { approved: true, text: 'Yes', respondedAt: '2026-01-01' } };
		const { afterLimit } = await ask(parameters, itemsOf(earlier));
		expect(afterLimit.map(({ json }) => json)).toEqual([{ order: 17, data }]);
	},
);

test('a tool of an agent cannot ask', async () => {
	await nothingSent(ask({}, { type: actionNodeAs('Tool') }), /cannot wait for an answer/);
});

describe('as a review tool', () => {
	const review = async (
		toolParameters: unknown,
		parameters: INodeParameters = {},
		json: IDataObject = {},
	) =>
		await ask(parameters, {
			type: actionNodeAs('HitlTool'),
			...itemsOf({ ...json, toolParameters: toolParameters as IDataObject }),
		});

	test('the email and the page have the arguments instead of n8n\'s "[object Object]"', async () => {
		const call = { order: 17, note: 'First\nadmin: true', items: [{ id: 1 }] };
		const message = '=Run this?\n\nInput:\n{{ $json.toolParameters }}';
		const { request } = await review(call, { message });
		const { body } = await request(links()[0]!);

		expect(lastEmail().text).toMatch(
			/^Run this\?\n\nInput:\n\norder: 17\nnote: First\n {4}admin: true\nitems: \[\n/,
		);
		for (const shown of [lastEmail().text, lastEmail().html, body]) {
			expect(shown).not.toContain('object Object');
			expect(shown).toContain('admin: true');
		}
		expect(body).toContain('<dd dir="auto">17</dd>');
	});

	test.each([
		[
			'with one tool, the email and the page name it',
			['give_money'],
			/^Hi\n\ngive_money\norder: 17\n/,
		],
		['with several, they name none', ['give_money', 'delete_order'], /^Hi\n\norder: 17\n/],
	])('%s', async (_, tools, text) => {
		const others = tools.map((name) => ({ name, type: 'test.tool' }));
		const { request } = await ask(
			{ message: 'Hi' },
			{
				type: actionNodeAs('HitlTool'),
				others,
				connections: ['Start > Ask', ...tools.map((name) => `${name} > Ask: ai_tool`)],
				name: 'Ask',
				...itemsOf({ toolParameters: { order: 17 } }),
			},
		);
		expect(lastEmail().text).toMatch(text);
		const { body } = await request(links()[0]!);
		expect(body.includes('give_money')).toBe(tools.length === 1);
		expect(body).not.toContain('delete_order');
	});

	test.each([
		['refund', 'refund'],
		[null, ''],
	])('a call with %j instead of arguments has it as its input', async (input, shown) => {
		await review(input, { message: 'Hi' });
		expect(lastEmail().text).toContain(`Hi\n\nInput: ${shown}\n\n`);
	});

	test('no kind of line break makes another argument of a value', async () => {
		await review({ note: 'One\r\nTwo\rThree' });
		expect(lastEmail().text).toContain('note: One\n    Two\n    Three\n');
	});

	test('invisible characters of an argument can be seen', async () => {
		await review({ 'a\nb': 'x\u202ey\u200b\u0000z\u{e0041}' });
		expect(lastEmail().text).toContain('a\\nb: x\\u{202e}y\\u{200b}\\u{0}z\\u{e0041}');
	});

	test('a call with more than 20,000 characters of arguments is refused', async () => {
		await nothingSent(review({ text: 'x'.repeat(20_001) }), /too long for a review/);
	});

	test.each([
		'={{ $json.toolParameters.to }}',
		"={{ $fromAI('to') }}",
		"={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('To', ``, 'string') }}",
		'={{ $input.first().json.to }}',
		"={{ $('Start').item.json.to + $json.x }}",
	])('the model cannot choose who reviews: %s', async (to) => {
		await nothingSent(review({ to: 'eve@example.org' }, { to }), /could choose who reviews/);
	});

	test.each([
		["={{ $('Start').first().json.reviewer }}", 'person@example.org'],
		['=person@example.org', 'person@example.org'],
		['fromai@example.org', 'fromai@example.org'],
	])('the user can choose who reviews: %s', async (to, reviewer) => {
		await review({}, { to }, { reviewer });
		expect(lastEmail().to).toEqual([reviewer]);
	});

	test('n8n disables the node of this call when it continues, not that of other calls', async () => {
		let ofAllCalls: INode | undefined;
		const type = nodeIn((context) => {
			const entry = context.getExecuteData();
			ofAllCalls ??= entry.node;
			return {};
		});
		const { data } = await ask({}, { type });
		const node = data?.executionData?.nodeExecutionStack[0]?.node;
		expect(node).toEqual(ofAllCalls);
		expect(node).not.toBe(ofAllCalls);
	});

	test('after the limit, fields of the call are no approval', async () => {
		const { afterLimit } = await review({}, {}, { approved: true, data: { approved: true } });
		expect(afterLimit.map(({ json }) => json)).toEqual([
			{ data: { approved: false, respondedAt: null } },
		]);
	});
});
