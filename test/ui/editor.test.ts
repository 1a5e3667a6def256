import type { Browser } from 'playwright-core';

import { startSandbox } from '../../sandbox';
import type { Sandbox } from '../../sandbox';
import { N8n, until } from '../e2e/driver';
import { startBrowser } from './support/browser';
import { Editor } from './support/editor';
import { sendOffer } from './support/mail';
import type { Theme } from './support/pictures';

const SALES = 'sales@example.test';

/** The README's tutorial, followed in the real editor. Each step goes on where the one before ended. */
describe.each<Theme>(['light', 'dark'])('on the %s theme, a person who saves PDFs', (theme) => {
	let sandbox: Sandbox;
	let n8n: N8n;
	let browser: Browser;
	let editor: Editor;

	beforeAll(async () => {
		sandbox = await startSandbox({ dialect: 'observed' });
		n8n = await N8n.start({ line: '2' });
		browser = await startBrowser();
		editor = await Editor.open(browser, n8n, theme);
		await editor.logIn();
		await editor.newWorkflow();
	});

	afterAll(async () => {
		await browser?.close();
		await n8n?.stop();
		await sandbox?.stop();
	});

	let broken = false;

	/** A test that builds upon those before it; a picture shows where it failed. */
	function step(name: string, body: () => Promise<void>): void {
		it(name, async () => {
			if (broken) throw new Error('A step before this one failed.');
			try {
				await body();
			} catch (error) {
				broken = true;
				await editor.picture('failed');
				throw error;
			}
		});
	}

	/** The webhook subscriptions of the account, as the service lists them. */
	async function webhooks(): Promise<{ url: string; enabled: boolean; description: string }[]> {
		const response = await fetch(`${sandbox.baseUrl}/webhooks`, {
			headers: { authorization: `Bearer ${sandbox.accounts.owner.apiKey}` },
		});
		return (
			(await response.json()) as { data: { url: string; enabled: boolean; description: string }[] }
		).data;
	}

	step('finds the nodes by searching for "email"', async () => {
		await editor.searchNodes('email');
		await editor.nodePanelEntry('Email Identity').waitFor();
		await editor.picture('node-panel', { documented: true });
		await editor.nodePanelEntry('Email Identity').click();
		await editor.nodePanelEntry('On message received').click();
		await editor.page.getByText('Connect to Email Identity').waitFor();
		await editor.picture('trigger-new');
	});

	step('is told in the dialog what is wrong with a credential', async () => {
		const { page } = editor;
		await page.getByText('Connect to Email Identity').click();
		await page.locator('[data-test-id=parameter-input-baseUrl] input').fill(sandbox.baseUrl);
		await page.locator('[data-test-id=parameter-input-apiKey] input').fill('not-the-key');
		await editor.byTestId('credential-save-button').click();
		await page.getByText('More details').click();
		await page.getByText('The service refused the API key').waitFor();
		await editor.picture('credential-wrong-key');
	});

	step('gets the credential accepted once it is right', async () => {
		const { page } = editor;
		await page
			.locator('[data-test-id=parameter-input-apiKey] input')
			.fill(sandbox.accounts.owner.apiKey);
		// The sandbox delivers within this machine only.
		await page.locator('[data-test-id=parameter-input-allowPrivateWebhookUrls] .el-switch').click();
		await editor.picture('credential', { documented: true });
		await editor.byTestId('credential-save-button').click();
		await editor.byTestId('credential-edit-dialog').waitFor({ state: 'hidden' });
		await editor.byTestId('node-execute-button').and(editor.page.locator(':enabled')).waitFor();
	});

	step('chooses the address from the searchable list', async () => {
		const { page } = editor;
		await editor.choose('receiveFor', 'One Identity');
		await editor.byTestId('rlc-input').click();
		await editor.byTestId('rlc-item').first().waitFor();
		await editor.picture('identity-list', { documented: true });
		await page.getByPlaceholder('Search...').fill('sales');
		await until(async () => (await editor.byTestId('rlc-item').count()) === 1, {
			describe: 'the list shows only what was searched for',
		});
		await editor.byTestId('rlc-item').filter({ hasText: SALES }).click();
		await editor.addToCollection(0, 'Has Attachments');
		await editor.picture('trigger-parameters');
	});

	step('listens for a test event and sees the email with its file', async () => {
		const { page } = editor;
		await editor.executeStep();
		await page.getByText('Stop Listening').first().waitFor();
		await until(async () => (await webhooks()).length === 1, {
			describe: 'the service knows the test subscription',
		});
		await editor.picture('trigger-listening');
		await sendOffer(sandbox.smtpPort, SALES, 'Offer 2026-117');
		await editor.output.getByText('offer.pdf').first().waitFor();
		await editor.showOutputAs('schema');
		await editor.output.getByText('Offer 2026-117').waitFor();
		await editor.picture('trigger-output', { documented: true });
		await editor.showOutputAs('binary');
		await editor.output.getByText('application/pdf').waitFor();
		await editor.picture('trigger-output-file');
		await until(async () => (await webhooks()).length === 0, {
			describe: 'the test subscription is gone',
		});
		await editor.closeNode();
	});

	step('adds an action and sees its output', async () => {
		await editor.searchNodes('email identity', editor.byTestId('canvas-handle-plus'));
		await editor.nodePanelEntry('Email Identity').first().click();
		await editor.nodePanelEntry('Get many identities').waitFor();
		await editor.picture('actions');
		await editor.nodePanelEntry('Get many identities').click();
		await editor.executeStep();
		await editor.showOutputAs('table');
		await editor.output.getByText(SALES).waitFor();
		await editor.picture('action-output', { documented: true });
		await editor.closeNode();
	});

	step('publishes, and an email starts the workflow', async () => {
		await editor.publish();
		await until(async () => (await webhooks()).filter(({ enabled }) => enabled).length === 1, {
			describe: 'the subscription is active',
		});
		const before = (await n8n.executions.list(editor.workflowId)).length;
		await sendOffer(sandbox.smtpPort, SALES, 'Offer 2026-118');
		await n8n.executions.atLeast(editor.workflowId, before + 1);
		await editor.showExecutions();
		await editor.byTestId('execution-preview-label').getByText('Succeeded').waitFor();
		await editor.inAnyFrame('Get many identities');
		await editor.picture('execution', { documented: true });
	});

	step('unpublishes, and the subscription is paused', async () => {
		await editor.showCanvas();
		await editor.unpublish();
		const [webhook, ...others] = await until(
			async () => {
				const all = await webhooks();
				return all.every(({ enabled }) => !enabled) && all;
			},
			{ describe: 'no subscription is active' },
		);
		expect(others).toEqual([]);
		expect(webhook).toMatchObject({ enabled: false });
		await editor.picture('unpublished');
	});
});
