import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { OLDEST_N8N } from '../../nodes/EmailIdentity/shared/editor/nodeDescription';
import {
	withCompatibilityTable,
	type TestedRelease,
} from '../../scripts/tests/reportCompatibility.mjs';

const project = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');

const releases = JSON.parse(read('test/hosts/compatibility.json')) as Record<string, TestedRelease>;

it('the table of tested versions has the results of complete runs', () => {
	const page = read('docs/maintainers/verification.md');
	expect(withCompatibilityTable(page, releases)).toBe(page);
});

const pinned = readdirSync(join(project, 'test/hosts')).filter((name) => name.startsWith('n8n-'));

it.each(pinned)('%s passed the tests of the main way in its pinned version', (name) => {
	type Manifest = { dependencies: { n8n: string } };
	const { dependencies } = JSON.parse(read(`test/hosts/${name}/package.json`)) as Manifest;
	const passed = { n8n: dependencies.n8n, compat: { passed: expect.any(Number), failed: 0 } };
	expect(releases[name.slice('n8n-'.length)]).toMatchObject(passed);
});

it.each(['1', '2'])('the newest n8n %s.x passed all tests in a real n8n', (line) => {
	expect(releases[line]?.e2e).toMatchObject({ passed: expect.any(Number), failed: 0 });
});

it('package.json, README and the nodes name the same oldest n8n', () => {
	const versions = Object.values(releases).map(({ n8n }) => n8n);
	const [oldest] = versions.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
	expect(JSON.parse(read('package.json'))).toMatchObject({ engines: { n8n: `>=${oldest}` } });
	expect(read('README.md')).toContain(`n8n ${oldest} or later`);
	expect(OLDEST_N8N).toBe(oldest);
});
