import type { Editor } from '../../ui/support/editor';

/** n8n asks the registry, downloads, unpacks and loads the package before it shows it. */
const INSTALLATION_TIMEOUT_MS = 240_000;

/** The page Settings → Community nodes, by its labels. */
export class CommunityNodes {
	constructor(private readonly editor: Editor) {}

	async open(): Promise<void> {
		const { page } = this.editor;
		await page.goto(new URL('/settings/community-nodes', page.url()).href);
		await this.cards.first().or(this.empty).waitFor();
	}

	/** Installs the newest release of a package. */
	async install(name: string): Promise<void> {
		await this.empty.click();
		const input = this.editor.byTestId('package-name-input');
		await input
			.locator('input')
			.or(this.editor.page.locator('input[name=packageNameInput]'))
			.first()
			.fill(name);
		await this.editor.byTestId('user-agreement-checkbox').click({ position: { x: 8, y: 8 } });
		await this.editor.byTestId('install-community-package-button').click();
	}

	/** Updates a package to its newest release. @param look called when n8n asks for confirmation */
	async update(name: string, look: () => Promise<void>): Promise<void> {
		await this.card(name).getByRole('button', { name: 'Update' }).click();
		const confirm = this.editor.page.getByRole('button', { name: 'Confirm update' });
		await confirm.waitFor();
		await look();
		await confirm.click();
	}

	async uninstall(name: string): Promise<void> {
		const { page } = this.editor;
		await this.card(name).locator('[data-test-id=action-toggle]').click();
		await page.getByText('Uninstall package').filter({ visible: true }).click();
		await page.getByRole('button', { name: 'Confirm uninstall' }).click();
	}

	async showsVersion(name: string, version: string): Promise<void> {
		await this.card(name).getByText(`v${version}`).waitFor({ timeout: INSTALLATION_TIMEOUT_MS });
	}

	async showsNone(): Promise<void> {
		await this.empty.waitFor();
	}

	private card(name: string) {
		return this.cards.filter({ hasText: name });
	}

	private get cards() {
		// While the page loads there are cards without content.
		return this.editor.byTestId('community-package-card').filter({ hasText: 'n8n-nodes-' });
	}

	private get empty() {
		return this.editor.page.getByRole('button', { name: 'Install a community node' });
	}
}
