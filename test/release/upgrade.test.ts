import { rmSync } from 'node:fs';
import type { Browser } from 'playwright-core';

import { N8n, until } from '../support/n8n';
import type { StoredWorkflow } from '../support/n8n';
import { Stage } from '../e2e/support/stage';
import { startBrowser } from '../ui/support/browser';
import { Editor, storyIn } from '../ui/support/editor';
import { freshClone } from './support/freshClone';
import { CommunityNodes } from './support/communityNodes';
import { standInForNpm } from './support/npmRegistry';
import type { NpmRegistry } from './support/npmRegistry';
import { startVerdaccio } from './support/verdaccio';
import type { Registry } from './support/verdaccio';
import { publishByWorkflow, setVersion } from './support/workflow';

/** A person with a fresh n8n, from the first release to the next. Each test continues the one before. */

const PACKAGE = 'n8n-nodes-email-identity';
const [FIRST, NEXT] = ['0.1.0', '0.1.1'];

let registry: Registry;
let npmRegistry: NpmRegistry;
let clone: string;
let n8n: N8n;
let browser: Browser;
let editor: Editor;
let page: CommunityNodes;
let workflow: StoredWorkflow;

const step = storyIn(() => editor);

const stage = new Stage({ start: async () => n8n });

beforeAll(async () => {
	registry = await startVerdaccio();
	npmRegistry = await standInForNpm(registry.url);
	clone = freshClone();
	[n8n, browser] = await Promise.all([
		N8n.start({ packages: [], environment: npmRegistry.environment }),
		startBrowser(),
		release(FIRST),
	]);
	editor = await Editor.open(browser, n8n);
	page = new CommunityNodes(editor);
});

afterAll(async () => {
	await browser?.close();
	await stage.close();
	await n8n?.stop();
	await npmRegistry?.stop();
	await registry?.stop();
	rmSync(clone, { recursive: true, force: true });
});

async function release(version: string): Promise<void> {
	setVersion(clone, version);
	await publishByWorkflow(clone, version, [...registry.options, '--provenance=false']);
}

/** The node types of the package that n8n offers. */
async function offered(): Promise<string[]> {
	const types = await n8n.session.call<{ name: string }[]>('GET', '/types/nodes.json');
	return [...new Set(types.map(({ name }) => name))].filter((name) => name.startsWith(PACKAGE));
}

/** Sends an email and waits for the execution that it starts. @param number how many the workflow has then */
async function emailStarts(subject: string, number: number): Promise<void> {
	await stage.mail(subject);
	const started = await stage.subjects(workflow, number);
	expect(started).toHaveLength(number);
	expect(started).toContain(subject);
}

step('installs the first release by its name', async () => {
	await page.open();
	await page.install(PACKAGE);
	await page.showsVersion(PACKAGE, FIRST);
	expect(await offered()).toEqual(
		expect.arrayContaining([`${PACKAGE}.emailIdentity`, `${PACKAGE}.emailIdentityTrigger`]),
	);
});

step('runs a workflow with it', async () => {
	await stage.open();
	workflow = await stage.publish();
	expect(stage.subscription(workflow)).toMatchObject({ enabled: true });
	await emailStarts('With the first release', 1);
});

step('is offered the next release, and updates to it', async () => {
	await release(NEXT);
	await page.open();
	await page.update(PACKAGE, () => editor.picture('upgrade', { themes: ['light'] }));
	await page.showsVersion(PACKAGE, NEXT);
});

step('keeps the workflow and its subscription', async () => {
	const { id } = stage.subscription(workflow);
	const before = await n8n.workflows.get(workflow.id);
	await emailStarts('After the update', 2);
	await n8n.restart();
	await emailStarts('After a restart', 3);
	expect(stage.subscription(workflow)).toMatchObject({ id, enabled: true });
	expect((await n8n.workflows.get(workflow.id)).nodes).toEqual(before.nodes);
});

step('unpublishes, which pauses the subscription, and uninstalls', async () => {
	await n8n.workflows.deactivate(workflow.id);
	await until('the subscription is paused', () => !stage.subscription(workflow).enabled);
	await page.open();
	await page.uninstall(PACKAGE);
	await page.showsNone();
	expect(await offered()).toEqual([]);
});
