import { appendFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { freshClone } from './support/freshClone';
import { startVerdaccio } from './support/verdaccio';
import type { Registry } from './support/verdaccio';
import { commandsOf, publishByWorkflow, publishWorkflow, setVersion } from './support/workflow';

const PACKAGE = 'n8n-nodes-email-identity';
const VERSIONS = ['0.1.0', '0.1.1'];
const BETA = '0.1.2-beta.0';

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

it.each(VERSIONS)('the commands of the workflow publish version %s', async (version) => {
	setVersion(clone, version);
	await publish(version);
	const published: unknown = await (await fetch(`${registry.url}/${PACKAGE}/${version}`)).json();
	expect(published).toMatchObject({
		name: PACKAGE,
		version,
		n8n: { n8nNodesApiVersion: 1 },
		dist: { tarball: expect.stringContaining(`${PACKAGE}-${version}.tgz`) },
	});
});

it('a beta is published under the tag beta alone', async () => {
	setVersion(clone, BETA);
	await publish(BETA);
	const { 'dist-tags': tags } = (await (await fetch(`${registry.url}/${PACKAGE}`)).json()) as {
		'dist-tags': Record<string, string>;
	};
	expect(tags).toEqual({ latest: VERSIONS[1], beta: BETA });
});

it('a version cannot be published twice', async () => {
	await expect(publish(BETA)).rejects.toThrow(/npm publish[\s\S]*cannot publish over|409|403/i);
});

it('a package that was changed after the build is not published', async () => {
	const next = '0.1.3';
	setVersion(clone, next);
	const spoil = (folder: string) => {
		const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
		appendFileSync(join(folder, tarball), 'x');
	};
	await expect(publish(next, spoil)).rejects.toThrow();
	expect((await fetch(`${registry.url}/${PACKAGE}/${next}`)).status).toBe(404);
});

it('a tag that differs from the version publishes nothing', async () => {
	await expect(publish('9.9.9')).rejects.toThrow('The tag "v9.9.9" is not "v0.1.3"');
});
