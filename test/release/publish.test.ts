import { rmSync } from 'node:fs';

import { freshClone } from './support/freshClone';
import { startVerdaccio } from './support/verdaccio';
import type { Registry } from './support/verdaccio';
import { publishByWorkflow, publishCommands, setVersion } from './support/workflow';

const PACKAGE = 'n8n-nodes-email-identity';
const VERSIONS = ['0.1.0', '0.1.1'];

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

it('the workflow publishes after everything else has passed', () => {
	const commands = publishCommands(clone);
	const publishing = commands.indexOf('node scripts/publish.mjs');
	for (const check of ['npm test -- usual checks', 'npm run scan', 'npm run audit']) {
		expect(commands.slice(0, publishing)).toContain(check);
	}
});

it.each(VERSIONS)(
	'version %s is taken by a registry from the commands of the workflow',
	async (version) => {
		setVersion(clone, version);
		await publishByWorkflow(clone, version, [...registry.options, '--provenance=false']);
		const published: unknown = await (await fetch(`${registry.url}/${PACKAGE}/${version}`)).json();
		expect(published).toMatchObject({
			name: PACKAGE,
			version,
			n8n: { n8nNodesApiVersion: 1 },
			dist: { tarball: expect.stringContaining(`${PACKAGE}-${version}.tgz`) },
		});
	},
);

it('a version is published once', async () => {
	await expect(
		publishByWorkflow(clone, VERSIONS[1]!, [...registry.options, '--provenance=false']),
	).rejects.toThrow('npm did not publish the package');
});

it('nothing is published under a tag that is not the version', async () => {
	await expect(
		publishByWorkflow(clone, '9.9.9', [...registry.options, '--provenance=false']),
	).rejects.toThrow('The tag "v9.9.9" is not "v0.1.1"');
});
