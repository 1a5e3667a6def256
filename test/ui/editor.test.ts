import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';

import { startSandbox } from '../../sandbox';
import type { Sandbox } from '../../sandbox';
import { N8n, projectFolder, until } from '../support/n8n';
import { sendMail } from '../e2e/support/sendMail';
import { startBrowser } from './support/browser';
import { Editor, storyIn } from './support/editor';

const SALES = 'sales@example.test';
/** People search for these; n8n looks for them in the aliases of the action node. */
const SEARCHED = [
	...['inbound', 'receive email', 'incoming email', 'new email', 'new mail', 'send email'],
	...['reply', 'answer', 'inbox', 'spam', 'attachment', 'bounce', 'parse', 'dkim', 'dmarc'],
	...['domain', 'dns', 'kurrier'],
];
const FILTERS = [
	'From',
	'From Excludes',
	'Has Attachments',
	'Subject Contains',
	'Subject Excludes',
	'To',
];
const OPTIONS = ['Ignore Duplicates', 'Include Headers', 'Include Raw Email'];
const ADVANCED = ['Check Interval', 'Delivery URL', 'On Unpublish', 'Verify With the API'];
const OFFER = {
	filename: 'offer.pdf',
	content: Buffer.from('%PDF-1.4\ntrailer<</Root<<>>>>\n%%EOF\n'),
	contentType: 'application/pdf',
};
const PRICES = {
	filename: 'prices.csv',
	content: Buffer.from('stamps,80\n'),
	contentType: 'text/csv',
};
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** The path of the file in the README's tutorial. */
function pathInReadme(): string {
	const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');
	const path = /`(\/home\/node\/.+?)`/.exec(readme)?.[1];
	if (!path) throw new Error('The README names no path for the file.');
	return path;
}

/** The README's tutorial, followed in the real editor. Each step continues the one before. */
describe('a person who saves PDFs', () => {
	let sandbox: Sandbox;
	let n8n: N8n;
	let browser: Browser;
	let editor: Editor;
	let files: string;

	beforeAll(async () => {
		sandbox = await startSandbox({ dialect: 'observed' });
		n8n = await N8n.start({ release: '2' });
		files = join(n8n.userFolder, '.n8n-files');
		browser = await startBrowser();
		editor = await Editor.open(browser, n8n);
		await editor.newWorkflow();
	});

	afterAll(async () => {
		await browser?.close();
		await n8n?.stop();
		await sandbox?.stop();
	});

	const step = storyIn(() => editor);

	const untilEnabled = async (count: number) =>
		await until(
			`the service has ${count} enabled subscriptions`,
			() => sandbox.webhooks().filter(({ enabled }) => enabled).length === count,
		);

	const mail = async (subject: string, file: typeof OFFER) =>
		await sendMail(sandbox.smtpPort, {
			from: '"Zoë Sender" <zoe@example.org>',
			to: SALES,
			subject,
			text: 'Hello,\n\nwhat you asked for is attached.\n\nZoë\n',
			attachments: [file],
		});

	/** The contents of the saved offers; an empty file is still being written. */
	async function savedOffers(): Promise<Buffer[]> {
		const names = (await readdir(files)).filter((name) => name.endsWith('-offer.pdf'));
		const contents = await Promise.all(names.map((name) => readFile(join(files, name))));
		return contents.filter(({ length }) => length > 0);
	}

	/** The editor notices input after a moment, and saves it a moment later. */
	async function saved(text: string): Promise<void> {
		const stored = async () => JSON.stringify(await n8n.workflows.get(editor.workflowId));
		await until(`the workflow is saved with "${text}"`, async () =>
			(await stored()).includes(text),
		);
	}

	step('finds the nodes by searching for what emails are about, and for "email"', async () => {
		const entry = editor.nodePanelEntry('Email Identity');
		await editor.searchNodes('nothing has this name');
		for (const words of SEARCHED) {
			await entry.waitFor({ state: 'hidden' });
			await editor.searchAgain(words);
			await entry.waitFor();
			await editor.searchAgain('nothing has this name');
		}
		await editor.searchAgain('email');
		await entry.waitFor();
		await editor.picture('node-panel', { parts: [editor.byTestId('node-creator')], height: 520 });
		await entry.click();
		await editor.nodePanelEntry('On message received').click();
		await editor.page.getByText('Connect to Email Identity').waitFor();
	});

	step('sees in the dialog what is wrong with a credential', async () => {
		const { page } = editor;
		await page.getByText('Connect to Email Identity').click();
		await editor.fill('baseUrl', 'https://mail.example.com/api/kurrier');
		await editor.fill('apiKey', 'not-the-key');
		// n8n fetches the name, and keeps its text hidden behind the field that shows it.
		await page.getByText('Email Identity account').first().waitFor({ state: 'attached' });
		await editor.picture('credential', { parts: [editor.byTestId('credential-edit-dialog')] });
		await editor.fill('baseUrl', sandbox.baseUrl);
		await editor.saveCredentialUntil('The service refused the API key');
	});

	step('gets the right credential accepted', async () => {
		const { page } = editor;
		await editor.fill('apiKey', sandbox.accounts.owner.apiKey);
		// The sandbox delivers within this machine only.
		await page.locator('[data-test-id=parameter-input-allowPrivateWebhookUrls] .el-switch').click();
		await editor.byTestId('credential-save-button').click();
		await editor.byTestId('credential-edit-dialog').waitFor({ state: 'hidden' });
		await editor.byTestId('node-execute-button').and(editor.page.locator(':enabled')).waitFor();
	});

	step(
		'sees what starts the workflow and what it gets without scrolling, from the URL to Output',
		async () => {
			const { page } = editor;
			const size = page.viewportSize()!;
			await page.setViewportSize({ ...size, height: 900 });
			await page.getByText('Webhook URLs').waitFor();
			const { bottom, seenTo } = await editor.extentOf('parameter-input-output');
			expect(bottom).toBeLessThan(seenTo);
			await page.setViewportSize(size);
		},
	);

	step('chooses the address from the searchable list', async () => {
		const { page } = editor;
		await editor.choose('receiveFor', 'One Identity');
		await editor.byTestId('rlc-input').click();
		await editor.byTestId('rlc-item').first().waitFor();
		await page.getByPlaceholder('Search...').fill('sales');
		await until(
			'the list shows only what was searched for',
			async () => (await editor.byTestId('rlc-item').count()) === 1,
		);
		await editor.picture('identity-list', { parts: [editor.parameters], height: 420 });
		await editor.byTestId('rlc-item').filter({ hasText: SALES }).click();
	});

	step('chooses the PDFs of each email, and no other files', async () => {
		await editor.addToCollection(0, 'Attachments');
		await editor.fill('attachments', '*.pdf');
		await editor.choose('output', 'One Item per Attachment');
		await saved('*.pdf');
		await editor.picture('filter', { parts: [editor.parameters] });
	});

	step('listens for a test event and sees the email with its file', async () => {
		const { page } = editor;
		await editor.executeStep();
		await page.getByText('Listening for test event').waitFor();
		await untilEnabled(1);
		await mail('Offer 2026-117', OFFER);
		await editor.output.getByText('offer.pdf').first().waitFor();
		await editor.showOutputAs('schema');
		await editor.output.getByText('Offer 2026-117').waitFor();
		await editor.byTestId('node-credentials-select').first().scrollIntoViewIfNeeded();
		await editor.picture('trigger-output', { parts: [editor.parameters, editor.output] });
		await editor.showOutputAs('binary');
		await editor.output.getByText('application/pdf').waitFor();
		await untilEnabled(0);
		await editor.closeNode();
	});

	step('adds a node that writes the file to the disk', async () => {
		await editor.searchNodes('read/write files', editor.byTestId('canvas-handle-plus'));
		await editor.nodePanelEntry('Read/Write Files from Disk').first().click();
		await editor.nodePanelEntry('Write File to Disk').click();
		await editor.pasteExpression('fileName', pathInReadme().replace('/home/node', n8n.userFolder));
		await saved('attachment.fileName');
		await editor.closeNode();
	});

	step('executes the workflow, and finds the PDF in the folder', async () => {
		await mkdir(files);
		// The last one is at the lower edge, not beside the trigger.
		await editor.byTestId('execute-workflow-button').last().click();
		await untilEnabled(1);
		await mail('Offer 2026-118', OFFER);
		const offer = await until('the PDF is in the folder', async () => (await savedOffers())[0]);
		expect(offer).toEqual(OFFER.content);
		await editor.byTestId('zoom-to-fit').click();
		await editor.page.getByText('1 item').nth(1).waitFor();
	});

	step('adds an answer behind a node that makes its own item, and enters its text', async () => {
		// In the place of Google Drive, whose item is about the file.
		await editor.searchNodes('edit fields', editor.byTestId('canvas-handle-plus'));
		await editor.nodePanelEntry('Edit Fields (Set)').first().click();
		await editor.closeNode();
		const plus = editor.byTestId('canvas-handle-plus');
		await editor.addAction('Email Identity', 'Reply to message', plus);
		await editor.byTestId('parameter-input-text').locator('textarea').fill('It has arrived.');
		await saved('It has arrived.');
		await editor.closeNode();
	});

	step('publishes, and an email starts the workflow', async () => {
		await editor.publish();
		await untilEnabled(1);
		const before = (await n8n.executions.list(editor.workflowId)).length;
		await mail('Prices', PRICES);
		await mail('Offer 2026-119', OFFER);
		await mail('Offer 2026-120', OFFER);
		await n8n.executions.atLeast(editor.workflowId, before + 2);
		await sandbox.deliveriesSettled();
		expect((await n8n.executions.list(editor.workflowId)).length).toBe(before + 2);
		expect(await savedOffers()).toEqual([OFFER.content, OFFER.content, OFFER.content]);
		expect(await readdir(files)).toHaveLength(3);
		const answers = sandbox.sentEmails().map(({ from, to, text }) => [from, ...to, text]);
		const answer = [SALES, 'zoe@example.org', 'It has arrived.'];
		expect(answers).toEqual([answer, answer]);
		await editor.byTestId('radio-button-executions').click();
		await editor.byTestId('execution-preview-label').getByText('Succeeded').waitFor();
		await editor.inAnyFrame('Email Identity Trigger');
		await editor.inAnyFrame('Write File to Disk');
	});

	step('unpublishes, and the subscription is paused', async () => {
		await editor.byTestId('radio-button-workflow').click();
		await editor.unpublish();
		await untilEnabled(0);
		expect(sandbox.webhooks()).toHaveLength(1);
	});

	step('finds the help, and every filter and option of the trigger', async () => {
		const { page } = editor;
		await page.getByText(SALES, { exact: true }).waitFor();
		await editor.openNode('Email Identity Trigger');
		await page.getByText('When will this node trigger my flow?').click();
		await page.getByText('No public address yet?').waitFor();
		for (const setting of ADVANCED) await editor.addToCollection(2, setting);
		for (const option of OPTIONS) await editor.addToCollection(1, option);
		for (const filter of FILTERS) await editor.addToCollection(0, filter);
	});

	step('gets the sample email without sending one', async () => {
		await editor.page.locator('[data-test-id=parameter-input-useSampleEmail] .el-switch').click();
		await saved('"useSampleEmail":true');
		await editor.executeStep();
		await editor.output.getByText('invoice-2026-042.pdf').first().waitFor();
		await editor.output
			.getByText('the published workflow would ignore this email: From,')
			.waitFor();
		await editor.page.getByText('Listening for test event').waitFor({ state: 'hidden' });
		expect(sandbox.webhooks()).toMatchObject([{ enabled: false }]);
		await editor.closeNode();
	});

	step('runs an action in another workflow, and sees its output', async () => {
		await editor.newWorkflow();
		const add = editor.byTestId('canvas-add-button');
		await editor.addAction('Email Identity', 'Get many identities', add);
		await editor.executeStep();
		await editor.showOutputAs('table');
		await editor.output.getByText(SALES).waitFor();
		await editor.showOutputAs('schema');
		await editor.picture('action-output', { parts: [editor.parameters, editor.output] });
	});

	step('reads the whole name of a way to choose an identity', async () => {
		await editor.choose('operation', 'Get');
		await editor.chooseMode('By Email');
		// The last letter ends in a blank pixel.
		expect(await editor.excessWidth('rlc-mode-selector')).toBeLessThan(2);
	});

	step('sees what to do when an operation fails', async () => {
		await editor.enterId(UNKNOWN_ID);
		await saved(UNKNOWN_ID);
		await editor.executeStep();
		await editor.byTestId('node-error-message').getByText('no access to this identity').waitFor();
		await editor.closeNode();
		await editor.page.getByText('Identity: Get', { exact: true }).waitFor();
	});
});
