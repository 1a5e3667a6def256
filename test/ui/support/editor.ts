import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';

import { OWNER, projectFolder, until, type N8n } from '../../support/n8n';

const PATIENCE_MS = 120_000;

export type Theme = 'light' | 'dark';

/** The pictures of every run, for a look; not kept in the repository. */
const RESULTS = join(projectFolder, 'test-results/ui');

/** The pictures of the documentation; written only when asked for, as every run's pictures differ a little. */
const DOCUMENTATION = join(projectFolder, 'docs/images');

const HIDDEN =
	'.el-notification, [data-reka-popper-content-wrapper]:has([role=tooltip]) { display: none !important }';

/** Hides the tabs and buttons over the canvas. */
const NO_BUTTONS =
	'[data-test-id=canvas-controls], [class*=nodeButtonsWrapper], [class*=executionButtons], .tab-bar-container { visibility: hidden !important }';

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

	/** Opens a saved workflow, all of it in sight. */
	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.address}/workflow/${id}`);
		await this.byTestId('canvas-node').first().waitFor();
		await this.page.addStyleTag({ content: HIDDEN });
		await this.byTestId('zoom-to-fit').click();
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
		// Keys typed before it has the focus would be shortcuts of the canvas.
		await this.byTestId('node-creator').locator('input').fill(words);
	}

	nodePanelEntry(name: string): Locator {
		return this.byTestId('node-creator').getByText(name, { exact: true });
	}

	async choose(parameter: string, option: string): Promise<void> {
		await this.byTestId(`parameter-input-${parameter}`).click();
		await this.chooseOption(option);
	}

	/** Enters the ID of what could also be chosen from a list. */
	async enterId(id: string): Promise<void> {
		await this.byTestId('rlc-mode-selector').click();
		await this.chooseOption('By ID');
		await this.byTestId('rlc-input')
			.locator('input')
			.or(this.page.locator('input[data-test-id=rlc-input]'))
			.fill(id);
	}

	/** Chooses what is named so from the list of a drop-down with a search. */
	async chooseFromList(name: string): Promise<void> {
		await this.byTestId('rlc-input').click();
		await this.byTestId('rlc-item').filter({ hasText: name }).click();
	}

	private async chooseOption(name: string): Promise<void> {
		const label = this.page.getByText(name, { exact: true });
		await this.page.getByRole('option').filter({ has: label, visible: true }).click();
	}

	/** Adds one entry to the collection at that position: the first, such as Filters, is 0. */
	async addToCollection(position: number, entry: string): Promise<void> {
		const add = this.byTestId('collection-parameter-add').nth(position);
		await add.click();
		const begin = new RegExp(`^\\s*${entry}`);
		await this.byTestId('collection-parameter-option').filter({ hasText: begin }).first().click();
	}

	/** Where the first field with this test ID ends, and where the panel of parameters must be scrolled. */
	async extentOf(id: string): Promise<{ bottom: number; seenTo: number }> {
		const [field, panel] = await Promise.all([
			this.byTestId(id).first().boundingBox(),
			this.page.locator('.node-parameters-wrapper:visible').boundingBox(),
		]);
		if (!field || !panel) throw new Error(`The editor shows no ${id}.`);
		return { bottom: field.y + field.height, seenTo: panel.y + panel.height };
	}

	/** Saves the credential until its test gives this error: the editor takes over what is typed after a moment. */
	async saveCredentialUntil(error: string): Promise<void> {
		const [save, more] = [
			this.byTestId('credential-save-button'),
			this.page.getByText('More details'),
		];
		await until(`the credential is refused with "${error}"`, async () => {
			if (await save.isEnabled()) await save.click();
			if (await more.isVisible()) await more.click();
			return await this.page.getByText(error).isVisible();
		});
	}

	async executeStep(): Promise<void> {
		await this.byTestId('node-execute-button').click();
	}

	async showOutputAs(mode: 'schema' | 'table' | 'json' | 'binary'): Promise<void> {
		await this.byTestId('output-panel').locator(`[data-test-id=radio-button-${mode}]`).click();
	}

	get output(): Locator {
		return this.byTestId('output-panel');
	}

	async fill(parameter: string, text: string): Promise<void> {
		await this.byTestId(`parameter-input-${parameter}`).locator('input').fill(text);
	}

	/** Switches a parameter to an expression and pastes one. */
	async pasteExpression(parameter: string, text: string): Promise<void> {
		const input = this.byTestId(`parameter-input-${parameter}`);
		await input.click();
		await this.byTestId(`${parameter}-parameter-input-options-container`)
			.getByRole('radio', { name: 'Expression' })
			.click();
		await input.locator('.cm-content').click();
		await this.page.keyboard.press('ControlOrMeta+a');
		await this.page.keyboard.insertText(text);
	}

	/** The button at the lower edge, and not the one that appears beside a trigger. */
	async executeWorkflow(): Promise<void> {
		await this.byTestId('execute-workflow-button').last().click();
	}

	async openNode(name: string): Promise<void> {
		await this.byTestId('canvas-node').filter({ hasText: name }).dblclick();
		await this.byTestId('ndv').waitFor();
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
			`the editor shows "${text}"`,
			async () => {
				const counts = this.page
					.frames()
					.map((frame) => frame.getByText(text).filter({ visible: true }).count());
				return (await Promise.all(counts)).some((count) => count > 0);
			},
			PATIENCE_MS,
		);
	}

	/** Takes a picture of the canvas alone, for the documentation. */
	async canvasPicture(name: string): Promise<void> {
		const options = { documented: true, style: NO_BUTTONS };
		await this.picture(name, options, this.byTestId('canvas'));
	}

	/** Takes a picture; `UPDATE_PICTURES=1` also puts a documented one into `docs/images`. */
	async picture(
		name: string,
		{ documented = false, style = '' } = {},
		shown: Page | Locator = this.page,
	): Promise<void> {
		await this.page.mouse.move(0, 0);
		const folders =
			documented && process.env.UPDATE_PICTURES ? [RESULTS, DOCUMENTATION] : [RESULTS];
		for (const folder of folders) {
			mkdirSync(folder, { recursive: true });
			const path = join(folder, `${name}-${this.theme}.png`);
			await shown.screenshot({ path, animations: 'disabled', caret: 'hide', style });
		}
	}
}

/**
 * Gives an `it` for a story: each test builds upon those before it, so none runs after one that failed. A picture shows where
 * it failed.
 */
export function storyIn(editor: () => Editor) {
	let broken = false;
	return (name: string, body: () => Promise<void>): void => {
		it(name, async () => {
			if (broken) throw new Error('A step before this one failed.');
			// Until it has passed: one whose time is over never comes back here.
			broken = true;
			try {
				await body();
				broken = false;
			} catch (error) {
				await editor()
					.picture('failed')
					.catch(() => undefined);
				throw error;
			}
		});
	};
}
