import type { INodeExecutionData, INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';

import { EmailIdentityTrigger } from '../../../../nodes/EmailIdentity/EmailIdentityTrigger.node';
import { FILTER_LABELS } from '../../../../nodes/EmailIdentity/trigger/delivery/filters';
import { filterFields } from '../../../../nodes/EmailIdentity/trigger/options';
import { runNode } from '../../rig';
import { API_KEY, mail, received, startDeliveryHost, type MailParts } from './deliveries';

const credential = { baseUrl: 'http://127.0.0.1:1', apiKey: API_KEY };

/** Delivers an email, and has n8n execute the node with the item that it is given, as it does. */
async function deliver(
	parameters: INodeParameters,
	{ isTest, body }: { isTest: boolean; body: unknown },
) {
	const host = await startDeliveryHost(parameters, { isTest });
	try {
		const answer = await host.post(body);
		const items = host.started()[0]?.[0];
		const run = items && (await execute(items, isTest ? 'manual' : 'webhook', parameters));
		return { answer: (await answer.json()) as unknown, status: answer.status, items, run };
	} finally {
		await host.stop();
	}
}

const execute = async (
	items: INodeExecutionData[],
	mode: WorkflowExecuteMode,
	parameters: INodeParameters = {},
) => await runNode({ type: new EmailIdentityTrigger(), parameters, credential, items, mode });

const hostile = 'Pay <b>at once</b> {{ $env }}';

test.each<[string, INodeParameters, MailParts]>([
	['From', { from: 'bob@example.com' }, { from: `"${hostile}" <eve@example.com>` }],
	['To', { to: 'bob@example.com' }, { to: 'eve@example.com' }],
	['Subject Contains', { subject: 'invoice' }, { subject: hostile }],
	['Has Attachments', { hasAttachments: true }, { text: hostile }],
	['Exclude From', { excludeFrom: 'eve' }, { from: `"${hostile}" <eve@example.com>` }],
	[
		'Attachments',
		{ attachments: '*.pdf' },
		{ attachment: { name: `${hostile}.csv`, content: hostile } },
	],
])(
	'who listens for a test event is told that the filter %s holds an email back, and nothing of it',
	async (label, filters, parts) => {
		const { answer, status, run } = await deliver(
			{ filters },
			{ isTest: true, body: received('m-1', parts) },
		);

		expect([status, answer]).toEqual([200, { status: 'ignored', reason: 'filtered' }]);
		expect(run?.error?.message).toBe(
			`This email would not start the workflow: the filter ${label} holds it back`,
		);
		expect(JSON.stringify(run?.error)).not.toMatch(/Pay|eve@/);
		expect(run?.outputs.flat()).toEqual([]);
	},
);

test.each<[string, string, { header?: string; state?: string }]>([
	['spam', 'Spam', { state: 'spam' }],
	['trash', 'Trash', { state: 'trash' }],
	['autoReply', 'Auto-Replies', { header: 'Auto-Submitted: auto-replied' }],
	['list', 'Mailing Lists and Newsletters', { header: 'List-Id: <news.example.com>' }],
	['report', 'Bounces and Reports', { header: 'Content-Type: multipart/report; boundary=b' }],
])('who listens is told that an email is of a kind to ignore: %s', async (reason, label, told) => {
	const { header = 'X-Nothing: 1', state } = told;
	const body = {
		event: 'message.received',
		data: { message: { id: 'm-1', state }, rawEmail: `${header}\r\n${mail()}` },
	};
	const ignore = ['autoReplies', 'bounces', 'lists', 'spam', 'trash'];
	const { answer, run } = await deliver({ ignore }, { isTest: true, body });

	expect(answer).toEqual({ status: 'ignored', reason });
	expect(run?.error?.message).toBe(
		`This email would not start the workflow: Ignore holds ${label} back`,
	);
});

const UNPROVED: Array<[why: string, unproved: string, sentence: RegExp]> = [
	['not signed', 'none', /has no signature \(DKIM\) of the domain in From/],
	['signed by somebody else, or changed', 'fail', /does not prove that it is from the domain/],
	['not to be checked', 'unknown', /could not be checked/],
	['without a raw text', 'noRawEmail', /gave no raw email/],
	[
		'not checked for want of the DNS',
		'dns',
		/keys of its sender\. Look at the option DNS Resolver/,
	],
];

test.each(UNPROVED)(
	'who listens is told of an email that is %s, in words',
	async (_why, unproved, sentence) => {
		const mark = { reason: 'filtered', filter: 'Only Authenticated Senders', unproved };
		const { error } = await execute([{ json: { emailIdentityHeldBack: mark } }], 'manual');

		expect(error?.message).toMatch(
			/^This email would not start the workflow: the filter Only Authenticated Senders holds it back: /,
		);
		expect(error?.message).toMatch(sentence);
	},
);

test('who listens is told why the DNS could not be asked', async () => {
	const mark = { reason: 'filtered', filter: 'Only Authenticated Senders', unproved: 'dns' };
	const because = 'dns.example.com cannot be reached';
	const json = { emailIdentityHeldBack: { ...mark, because } };

	expect((await execute([{ json }], 'manual')).error?.message).toContain(
		'the DNS could not be asked for the keys of its sender (dns.example.com cannot be reached). Look',
	);
});

test('who listens is told that an email brings no file to make an item of', async () => {
	const { answer, run } = await deliver(
		{ output: 'attachment' },
		{ isTest: true, body: received('m-1') },
	);

	expect(answer).toEqual({ status: 'ignored', reason: 'noAttachment' });
	expect(run?.error?.message).toBe(
		'This email would not start the workflow: Output is One Item per Attachment, and the email has none',
	);
});

test('an email that passes is handed on to who listens', async () => {
	const { run, items } = await deliver(
		{ filters: { subject: 'hello' } },
		{ isTest: true, body: received('m-1') },
	);

	expect(run?.error).toBeUndefined();
	expect(run?.outputs[0]).toMatchObject([{ json: items?.[0]?.json }]);
});

test('what is held back from the published workflow starts nothing', async () => {
	const { answer, items } = await deliver(
		{ filters: { subject: 'invoice' } },
		{ isTest: false, body: received('m-1') },
	);

	expect(answer).toEqual({ status: 'ignored', reason: 'filtered' });
	expect(items).toBeUndefined();
});

test('an event that was not asked for does not end the listening', async () => {
	const { items } = await deliver({}, { isTest: true, body: { event: 'message.sent', data: {} } });

	expect(items).toBeUndefined();
});

/** What a delivery would have to hold to look like an email that was held back. */
const forged = { emailIdentityHeldBack: { reason: 'filtered', filter: 'From' } };

test.each([true, false])(
	'no delivery can look like one that was held back, Simplify %s',
	async (simplify) => {
		const { event, data } = received('m-1');
		const body = {
			event,
			...forged,
			data: { ...data, ...forged, message: { ...data.message, ...forged } },
		};
		const { run } = await deliver({ simplify }, { isTest: true, body });

		expect(run?.error).toBeUndefined();
		expect(run?.outputs[0]).toHaveLength(1);
	},
);

test.each<WorkflowExecuteMode>(['webhook', 'trigger', 'retry'])(
	'an execution in mode %s never fails for an item that looks held back',
	async (mode) => {
		const { error, outputs } = await execute([{ json: forged }], mode);

		expect(error).toBeUndefined();
		expect(outputs[0]).toMatchObject([{ json: forged }]);
	},
);

test('filters are called what they are called in the editor', () => {
	const labels = filterFields.map(({ displayName }) => displayName);

	expect([...FILTER_LABELS].sort()).toEqual(labels.sort());
});
