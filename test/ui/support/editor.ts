import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';

import { OWNER, projectFolder, until, type N8n } from '../../support/n8n';

const PATIENCE_MS = 120_000;

/** Wide enough for all tabs of an output. */
const VIEWPORT = { width: 1440, height: 800 };

/** The pictures of every run, to look at; not committed. */
const RESULTS = join(projectFolder, 'test-results/ui');

/** The pictures of the documentation; written only if `UPDATE_PICTURES` is set, because the pictures of each run differ a little. */
const DOCUMENTATION = join(projectFolder, 'docs/images');

const HIDDEN =
	'.el-notification, [data-reka-popper-content-wrapper]:has([role=tooltip]) { display: none !important }';

/** Hides the tabs and buttons above the canvas. */
const NO_BUTTONS =
	'[data-test-id=canvas-controls], [class*=nodeButtonsWrapper], [class*=executionButtons], .tab-bar-container { visibility: hidden !important }';

type Rectangle = Record<'x' | 'y' | 'width' | 'height', number>;

const THEMES: readonly ('light' | 'dark')[] = ['dark', 'light'];

/** Runs in the page, once it has drawn what changed: icons differ between the themes. */
const ALL_IMAGES_LOADED = `new Promise(requestAnimationFrame).then(() =>
	Promise.allSettled([...document.images].map((image) => image.decode())))`;

/** n8n's editor as a person uses it: by what is written on it, and by its test IDs where it shows only icons. */
export class Editor {
	private constructor(
		readonly page: Page,
		private readonly address: string,
	) {}

	/** Opens n8n's editor and logs in. */
	static async open(browser: Browser, n8n: N8n): Promise<Editor> {
		const page = await browser.newPage({
			viewport: VIEWPORT,
			reducedMotion: 'reduce',
		});
		page.setDefaultTimeout(PATIENCE_MS);
		// The cookie of the log-in and the editor's own requests use this name.
		const address = n8n.url.replace('127.0.0.1', 'localhost');
		await page.goto(`${address}/signin`);
		await page.locator('input').first().fill(OWNER.email);
		await page.locator('input[type=password]').fill(OWNER.password);
		await page.keyboard.press('Enter');
		await page.waitForURL(/home/);
		return new Editor(page, address);
	}

	async newWorkflow(): Promise<void> {
		await this.page.goto(`${this.address}/workflow/new`);
		await this.byTestId('canvas-add-button').waitFor();
		// Notifications come and go, and would cover what is shown.
		await this.page.addStyleTag({ content: HIDDEN });
	}

	/** Opens a saved workflow and shows all of it. */
	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.address}/workflow/${id}`);
		await this.byTestId('canvas-node').first().waitFor();
		await this.page.addStyleTag({ content: HIDDEN });
		await this.byTestId('zoom-to-fit').click();
	}

	/** The ID of the saved workflow that is open. */
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
		await this.searchAgain(words);
	}

	/** Types other words into the search of the node panel. */
	async searchAgain(words: string): Promise<void> {
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

	/** Adds an action of a node behind another one. @param plus of the node before it */
	async addAction(node: string, action: string, plus: Locator): Promise<void> {
		await this.searchNodes(node, plus);
		await this.nodePanelEntry(node).first().click();
		const entry = this.nodePanelEntry(action);
		const actions = this.byTestId('node-creator').getByText(/^Actions/);
		await entry.or(actions).first().waitFor();
		if (!(await entry.isVisible())) await actions.click();
		await entry.click();
	}

	/** Chooses how to fill in a field that also has a list. */
	async chooseMode(name: string): Promise<void> {
		await this.byTestId('rlc-mode-selector').click();
		await this.chooseOption(name);
	}

	/** By how many pixels the text of a drop-down is wider than its field. */
	async excessWidth(id: string): Promise<number> {
		const input = this.byTestId(id).first().locator('input');
		return await input.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
	}

	/** Enters an ID in a field that also has a list. */
	async enterId(id: string): Promise<void> {
		await this.chooseMode('By ID');
		await this.byTestId('rlc-input')
			.locator('input')
			.or(this.page.locator('input[data-test-id=rlc-input]'))
			.fill(id);
	}

	/** Chooses an entry by its name from a searchable drop-down. */
	async chooseFromList(name: string): Promise<void> {
		await this.byTestId('rlc-input').click();
		await this.byTestId('rlc-item').filter({ hasText: name }).click();
	}

	private async chooseOption(name: string): Promise<void> {
		const label = this.page.getByText(name, { exact: true });
		await this.page.getByRole('option').filter({ has: label, visible: true }).click();
	}

	/** Adds an entry to the collection at a position: Filters is 0. */
	async addToCollection(position: number, entry: string): Promise<void> {
		const add = this.byTestId('collection-parameter-add').nth(position);
		await add.click();
		const begin = new RegExp(`^\\s*${entry}`);
		await this.byTestId('collection-parameter-option').filter({ hasText: begin }).first().click();
	}

	/** Where the first field with this test ID ends, and where the visible part of the parameters ends. */
	async extentOf(id: string): Promise<{ bottom: number; seenTo: number }> {
		const [field, panel] = await Promise.all([
			this.byTestId(id).first().boundingBox(),
			this.parameters.boundingBox(),
		]);
		if (!field || !panel) throw new Error(`The editor shows no ${id}.`);
		return { bottom: field.y + field.height, seenTo: panel.y + panel.height };
	}

	/** Saves the credential until its test fails with this error: the editor notices input after a moment. */
	async saveCredentialUntil(error: string): Promise<void> {
		const save = this.byTestId('credential-save-button');
		const more = this.page.getByText('More details');
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

	/** Takes a picture of the nodes and notes on the canvas. */
	async canvasPicture(name: string): Promise<void> {
		const nodes = await this.byTestId('canvas').locator('.vue-flow__node').all();
		await this.picture(name, { style: NO_BUTTONS, parts: nodes, margin: 72 });
	}

	/** The parameters of the open node. */
	get parameters(): Locator {
		return this.page.locator('.node-parameters-wrapper:visible');
	}

	/** The smallest rectangle around some parts of the page, or the page without any; cut off below a height. */
	private async around(parts: Locator[], height: number): Promise<Rectangle> {
		const boxes: Rectangle[] = parts.length === 0 ? [{ x: 0, y: 0, ...VIEWPORT }] : [];
		for (const part of parts) {
			const box = await part.boundingBox();
			if (!box) throw new Error('A part of the picture is not on the page.');
			boxes.push(box);
		}
		const x = Math.min(...boxes.map((box) => box.x));
		const y = Math.min(...boxes.map((box) => box.y));
		const right = Math.max(...boxes.map((box) => box.x + box.width));
		const bottom = Math.max(...boxes.map((box) => box.y + box.height));
		return { x, y, width: right - x, height: Math.min(bottom - y, height) };
	}

	/**
	 * Takes a picture in each theme; `UPDATE_PICTURES=1` also writes it into `docs/images`.
	 *
	 * @param options.parts the picture shows only these; the whole page if there are none
	 * @param options.height of the picture, if it is less than that of the parts
	 * @param options.margin around the parts, in pixels
	 */
	async picture(
		name: string,
		{
			style = '',
			parts = [] as Locator[],
			height = Infinity,
			margin = 0,
			themes = THEMES,
			failed = false,
		} = {},
	): Promise<void> {
		const isDocumented = process.env.UPDATE_PICTURES && !failed;
		const { x, y, ...size } = await this.around(parts, height);
		const clip = {
			x: x - margin,
			y: y - margin,
			width: size.width + 2 * margin,
			height: size.height + 2 * margin,
		};
		await this.page.mouse.move(0, 0);
		for (const theme of themes) {
			// n8n follows the system unless its user chose a theme.
			await this.page.emulateMedia({ colorScheme: theme });
			await this.page.evaluate(ALL_IMAGES_LOADED);
			for (const folder of isDocumented ? [RESULTS, DOCUMENTATION] : [RESULTS]) {
				mkdirSync(folder, { recursive: true });
				const path = join(folder, `${name}-${theme}.png`);
				await this.page.screenshot({ path, clip, animations: 'disabled', caret: 'hide', style });
			}
		}
	}
}

/**
 * Returns an `it` for a story: each test continues the one before it, so none runs after one that failed. A picture shows where
 * it failed.
 */
export function storyIn(editor: () => Editor) {
	let broken = false;
	return (name: string, body: () => Promise<void>): void => {
		it(name, async () => {
			if (broken) throw new Error('A step before this one failed.');
			// Until it has passed: a test that timed out never comes back here.
			broken = true;
			try {
				await body();
				broken = false;
			} catch (error) {
				await editor()
					.picture('failed', { failed: true })
					.catch(() => undefined);
				throw error;
			}
		});
	};
}
