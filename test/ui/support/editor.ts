import type { Browser, Locator, Page } from 'playwright-core';

import { OWNER, until, type N8n } from '../../e2e/driver';
import { takePicture, type Theme } from './pictures';

const PATIENCE_MS = 30_000;

const HIDDEN = '.el-notification, [role=tooltip].n8n-tooltip { display: none !important }';

/** n8n's editor as a person uses it: by what is written on it, and by its test IDs where it shows only icons. */
export class Editor {
	private constructor(
		readonly page: Page,
		private readonly address: string,
		private readonly theme: Theme,
	) {}

	static async open(browser: Browser, n8n: N8n, theme: Theme): Promise<Editor> {
		const page = await browser.newPage({
			viewport: { width: 1280, height: 800 },
			// n8n follows the system unless its user chose a theme.
			colorScheme: theme,
			reducedMotion: 'reduce',
		});
		page.setDefaultTimeout(PATIENCE_MS);
		// The log-in's cookie and the editor's own requests go by this name.
		return new Editor(page, n8n.url.replace('127.0.0.1', 'localhost'), theme);
	}

	async logIn(): Promise<void> {
		await this.page.goto(`${this.address}/signin`);
		await this.page.locator('input').first().fill(OWNER.email);
		await this.page.locator('input[type=password]').fill(OWNER.password);
		await this.page.keyboard.press('Enter');
		await this.page.waitForURL(/home/);
	}

	async newWorkflow(): Promise<void> {
		await this.page.goto(`${this.address}/workflow/new`);
		await this.byTestId('canvas-add-button').waitFor();
		// Little messages come and go as they please, and would cover what is shown.
		await this.page.addStyleTag({ content: HIDDEN });
	}

	/** The workflow's ID, once it was saved. */
	get workflowId(): string {
		const id = /\/workflow\/(\w+)/.exec(this.page.url())?.[1];
		if (!id || id === 'new') throw new Error(`No saved workflow is open: ${this.page.url()}`);
		return id;
	}

	byTestId(id: string): Locator {
		return this.page.locator(`[data-test-id="${id}"]:visible`);
	}

	/** Opens the node panel (behind a node, when its `+` is given) and types into its search. */
	async searchNodes(words: string, plus = this.byTestId('canvas-add-button')): Promise<void> {
		await plus.first().click();
		await this.byTestId('node-creator').waitFor();
		await this.page.keyboard.type(words);
	}

	nodePanelEntry(name: string): Locator {
		return this.byTestId('node-creator').getByText(name, { exact: true });
	}

	/** Chooses an option of a drop-down parameter. */
	async choose(parameter: string, option: string): Promise<void> {
		await this.byTestId(`parameter-input-${parameter}`).click();
		await this.page.getByRole('option', { name: option }).click();
	}

	/** Adds one entry to the collection at that position: the first, such as Filters, is 0. */
	async addToCollection(position: number, entry: string): Promise<void> {
		const add = this.byTestId('collection-parameter-add').nth(position);
		await add.click();
		await this.byTestId('collection-parameter-option').filter({ hasText: entry }).click();
	}

	async executeStep(): Promise<void> {
		await this.byTestId('node-execute-button').click();
	}

	/** Shows the output in another way. */
	async showOutputAs(mode: 'schema' | 'table' | 'json' | 'binary'): Promise<void> {
		await this.byTestId('output-panel').locator(`[data-test-id=radio-button-${mode}]`).click();
	}

	get output(): Locator {
		return this.byTestId('output-panel');
	}

	async closeNode(): Promise<void> {
		await this.byTestId('ndv-close-button').click();
		await this.byTestId('ndv').waitFor({ state: 'hidden' });
	}

	async publish(): Promise<void> {
		await this.byTestId('workflow-open-publish-modal-button').click();
		await this.byTestId('workflow-publish-button').click();
		await this.page.getByRole('button', { name: 'Got it' }).click();
		await this.page.getByText('Published', { exact: true }).waitFor();
	}

	async unpublish(): Promise<void> {
		await this.byTestId('version-menu-button').click();
		await this.page.getByRole('menuitem', { name: 'Unpublish' }).click();
		await this.page.getByRole('dialog').getByRole('button', { name: 'Unpublish' }).click();
	}

	async showExecutions(): Promise<void> {
		await this.byTestId('radio-button-executions').click();
	}

	async showCanvas(): Promise<void> {
		await this.byTestId('radio-button-workflow').click();
	}

	/** Waits for a text on the page or in a page within it, such as the preview of an execution. */
	async inAnyFrame(text: string): Promise<void> {
		await until(
			async () => {
				const counts = this.page
					.frames()
					.map((frame) => frame.getByText(text).filter({ visible: true }).count());
				return (await Promise.all(counts)).some((count) => count > 0);
			},
			{ describe: `the editor shows "${text}"`, timeout: PATIENCE_MS },
		);
	}

	async picture(name: string, options?: { documented?: boolean }): Promise<void> {
		await this.page.mouse.move(0, 0);
		await takePicture(this.page, name, this.theme, options);
	}
}
