import { appendFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { freshClone } from './support/freshClone';
import { startVerdaccio } from './support/verdaccio';
import type { Registry } from './support/verdaccio';
import { commandsOf, publishByWorkflow, publishWorkflow, setVersion } from './support/workflow';

const PACKAGE = 'n8n-nodes-email-identity';
const VERSION = '0.1.0';
const BETA = '0.1.1-beta.0';

let registry: Registry;
let clone: string;

beforeAll(async () => {
	registry = await startVerdaccio();
	clone = freshClone();
});

afterAll(async () => {
	await registry?.stop();
	rmSync(clone, { recursive: true, force: true });
});

const publish = (version: string, handOver?: (folder: string) => void) =>
	publishByWorkflow(clone, version, [...registry.options, '--provenance=false'], handOver);

it('the workflow publishes after all tests, in a job of its own', () => {
	const workflow = publishWorkflow(clone);
	expect(commandsOf(workflow, 'build').slice(0, -1)).toContain(
		'npm test -- usual checks scan audit',
	);
	const withIdentity = Object.entries(workflow.jobs).filter(
		([, { permissions }]) => permissions?.['id-token'] !== undefined,
	);
	expect(withIdentity.map(([name]) => name)).toEqual(['publish']);
	expect(workflow.jobs.publish).toMatchObject({ needs: 'build', environment: 'npm' });
	expect(commandsOf(workflow, 'publish')).toHaveLength(2);
});

it('the commands of the workflow publish a version', async () => {
	setVersion(clone, VERSION);
	await publish(VERSION);
	const published: unknown = await (await fetch(`${registry.url}/${PACKAGE}/${VERSION}`)).json();
	expect(published).toMatchObject({
		name: PACKAGE,
		version: VERSION,
		n8n: { n8nNodesApiVersion: 1 },
		dist: { tarball: expect.stringContaining(`${PACKAGE}-${VERSION}.tgz`) },
	});
});

it('a beta is published under the tag beta alone', async () => {
	setVersion(clone, BETA);
	await publish(BETA);
	const published: unknown = await (await fetch(`${registry.url}/${PACKAGE}`)).json();
	expect(published).toHaveProperty('dist-tags', { latest: VERSION, beta: BETA });
});

it('a package that was changed after the build is not published', async () => {
	const next = '0.1.2';
	setVersion(clone, next);
	const spoil = (folder: string) => {
		const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
		appendFileSync(join(folder, tarball), 'x');
	};
	await expect(publish(next, spoil)).rejects.toThrow();
	expect((await fetch(`${registry.url}/${PACKAGE}/${next}`)).status).toBe(404);
});

it('a tag that differs from the version publishes nothing', async () => {
	await expect(publish('9.9.9')).rejects.toThrow('The tag "v9.9.9" is not "v0.1.2"');
});
