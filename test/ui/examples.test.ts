import type { Browser } from 'playwright-core';

import { HOME_IN_DOCKER, importExample, readExamples } from '../../scripts/demo/examples';
import { N8n, until } from '../support/n8n';
import type { CredentialReference } from '../support/n8n';
import { CREDENTIAL_TYPE } from '../e2e/support/deployment';
import { startBrowser } from './support/browser';
import { Editor } from './support/editor';

const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

const mappingModeOf = ({ columns }: Record<string, unknown>) =>
	(columns as { mappingMode?: string } | undefined)?.mappingMode;

let n8n: N8n;
let browser: Browser;
let editor: Editor;
let credential: CredentialReference;

beforeAll(async () => {
	n8n = await N8n.start({ release: '2' });
	const data = { baseUrl: 'https://mail.example.com', apiKey: 'none' };
	credential = await n8n.credentials.create(CREDENTIAL_TYPE, data, 'Email Identity');
	browser = await startBrowser();
	editor = await Editor.open(browser, n8n);
	// Names of nodes are larger in a picture of a small page.
	await editor.page.setViewportSize({ width: 1100, height: 700 });
});

afterAll(async () => {
	await browser?.close();
	await n8n?.stop();
});

it('the canvas shows every node of each example', async () => {
	for (const example of await readExamples()) {
		// The pictures show paths as the examples have them.
		const { id, nodes } = await importExample(n8n, example, credential, HOME_IN_DOCKER);
		await editor.openWorkflow(id);
		const shown = await editor.byTestId('canvas-node').allInnerTexts();
		const names = nodes.filter(({ type }) => type !== STICKY_NOTE).map(({ name }) => name);
		expect(shown).toEqual(
			expect.arrayContaining(names.map((name) => expect.stringContaining(name))),
		);
		await editor.canvasPicture(`example-${example.name}`);
		await n8n.workflows.delete(id);
	}
});

it('a node of an example keeps its mapping and filters when its table is chosen', async () => {
	const example = (await readExamples()).find(({ name }) => name === 'replies-by-conversation');
	const table = await n8n.dataTables.importCsv('Emails', 'conversation,date,sender,subject,text\n');
	const { id, nodes } = await importExample(n8n, example!, credential);
	await editor.openWorkflow(id);
	for (const name of ['Save Email', 'Get Conversation']) {
		await editor.openNode(name);
		await editor.chooseFromList('Emails');
		const saved = await until(`"${name}" is saved with its table`, async () => {
			const stored = await n8n.workflows.get(id);
			const { parameters } = stored.nodes.find((node) => node.name === name)!;
			return JSON.stringify(parameters).includes(table) && parameters;
		});
		const before = nodes.find((node) => node.name === name)!.parameters!;
		expect([mappingModeOf(saved), saved.filters]).toEqual([mappingModeOf(before), before.filters]);
		await editor.closeNode();
	}
});
