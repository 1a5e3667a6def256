import type { INodeExecutionData, INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';

import { EmailIdentityTrigger } from '../../../../nodes/EmailIdentity/EmailIdentityTrigger.node';
import { runNode } from '../../support';
import { API_KEY, mail, received, startDeliveryHost, type MailParts } from './support/deliveries';

const PDF = { name: 'offer.pdf', content: 'pdf' };

const credential = { baseUrl: 'http://127.0.0.1:1', apiKey: API_KEY };

async function deliver(
	parameters: INodeParameters,
	{ isTest, body }: { isTest: boolean; body: unknown },
) {
	const host = await startDeliveryHost(parameters, { isTest });
	const response = await host.post(body);
	const answer = (await response.json()) as unknown;
	const log = host.logLines();
	const items = host.started()[0]?.[0];
	const run = items && (await execute(items, isTest ? 'manual' : 'webhook', parameters));
	return { answer, status: response.status, items, run, log };
}

const execute = async (
	items: INodeExecutionData[],
	mode: WorkflowExecuteMode,
	parameters: INodeParameters = {},
) => await runNode({ type: new EmailIdentityTrigger(), parameters, credential, items, mode });

const NO_CSV = 'has no attachment that matches *.csv';

const hostile = 'Pay <b>at once</b> {{ $env }}';

/** The editor shows descriptions as HTML. */
const shown = 'Pay ‹b›at once‹/b› {{ $env }}';

test.each<[string, INodeParameters, MailParts, string]>([
	['From', { from: 'bob@b.b' }, { from: '"Eve" <eve@e.e>' }, 'is from Eve ‹eve@e.e›'],
	['From Excludes', { excludeFrom: 'eve' }, { from: 'eve@e.e' }, 'is from eve@e.e'],
	['To', { to: 'bob@b.b' }, { to: 'eve@e.e' }, 'is to eve@e.e'],
	['Subject Contains', { subject: 'invoice' }, {}, 'has a subject that does not match invoice'],
	['Subject Excludes', { excludeSubject: 'b>' }, {}, 'has a subject that matches b›'],
	['Has Attachments', { hasAttachments: true }, {}, 'has no attachment'],
	['Has Attachments', { hasAttachments: false }, { attachment: PDF }, 'has attachments'],
	['Attachments', { attachments: '*.csv' }, {}, NO_CSV],
	['Attachments', { attachments: '*.csv' }, { attachment: PDF }, `${NO_CSV}, only offer.pdf`],
])(
	'a test event that does not match %s is reported with what the email has',
	async (label, filters, parts, found) => {
		const body = received('m-1', { subject: hostile, ...parts });
		const { answer, status, run, log } = await deliver({ filters }, { isTest: true, body });

		expect([status, answer]).toEqual([200, { status: 'ignored', reason: 'filtered' }]);
		expect(run?.error?.message).toBe(
			`This email would not start the workflow: it does not match the filter '${label}'`,
		);
		expect(run?.error?.description).toContain(`The email "${shown}" ${found}.`);
		expect(run?.outputs.flat()).toEqual([]);
		expect(JSON.stringify(log)).not.toMatch(/Pay|eve@|offer/);
	},
);

const IGNORE = { ignore: ['autoReplies', 'bounces', 'lists', 'spam', 'trash'] };

test.each<[string, string, INodeParameters, { header?: string; state?: string }]>([
	['spam', "'Ignore': Spam", IGNORE, { state: 'spam' }],
	['trash', "'Ignore': Trash", IGNORE, { state: 'trash' }],
	['autoReply', "'Ignore': Auto-Replies", IGNORE, { header: 'Auto-Submitted: auto-replied' }],
	['list', 'Mailing Lists and Newsletters', IGNORE, { header: 'List-Id: <news.example.com>' }],
	[
		'report',
		'Bounces and Reports',
		IGNORE,
		{ header: 'Content-Type: multipart/report; boundary=b' },
	],
	['noAttachment', 'One Item per Attachment', { output: 'attachment' }, {}],
])('an ignored test event is reported: %s', async (reason, setting, parameters, told) => {
	const { header = 'X-Nothing: 1', state } = told;
	const data = { message: { id: 'm-1', state }, rawEmail: `${header}\r\n${mail()}` };
	const body = { event: 'message.received', data };
	const { answer, run } = await deliver(parameters, { isTest: true, body });

	expect(answer).toEqual({ status: 'ignored', reason });
	expect(run?.error?.message).toMatch(new RegExp(`${setting}$`));
	expect(run?.error?.description).toContain('Its subject is "Hello". ');
});

test.each<[string, boolean, INodeParameters, unknown]>([
	['an event that was not asked for', true, {}, { event: 'message.sent', data: {} }],
	['a filtered email in production', false, { filters: { subject: 'x' } }, received('m-1')],
])('%s is not reported', async (_what, isTest, parameters, body) => {
	expect((await deliver(parameters, { isTest, body })).items).toBeUndefined();
});

const forged = { emailIdentityReport: { error: { message: 'Forged' } } };

test.each([true, false])(
	'a delivery cannot forge the report of a filtered test event, with Simplify %s',
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

test('the published workflow never fails because of such an item', async () => {
	const { error, outputs } = await execute([{ json: forged }], 'webhook');

	expect(error).toBeUndefined();
	expect(outputs[0]).toMatchObject([{ json: forged }]);
});
