import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { OLDEST_N8N } from '../../nodes/EmailIdentity/shared/nodeDescription';
import {
	withCompatibilityTable,
	type TestedRelease,
} from '../../scripts/tests/reportCompatibility.mjs';

const project = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');

const releases = JSON.parse(read('test/hosts/compatibility.json')) as Record<string, TestedRelease>;

it("the README's compatibility table has the results of complete runs", () => {
	const readme = read('README.md');
	expect(withCompatibilityTable(readme, releases)).toBe(readme);
});

const pinned = readdirSync(join(project, 'test/hosts')).filter((name) => name.startsWith('n8n-'));

it.each(pinned.map((name) => name.slice('n8n-'.length)))(
	'n8n %s was tested in the pinned version',
	(release) => {
		const { dependencies } = JSON.parse(read(`test/hosts/n8n-${release}/package.json`)) as {
			dependencies: { n8n: string };
		};
		expect(releases[release]).toMatchObject({ n8n: dependencies.n8n });
		expect(releases[release]!.compat!.passed).toBeGreaterThan(0);
	},
);

it('the newest n8n 1.x and 2.x passed all tests in a real n8n', () => {
	for (const line of ['1', '2']) expect(releases[line]!.e2e!.passed).toBeGreaterThan(0);
});

it('package.json, README and the nodes name the same oldest n8n', () => {
	const versions = Object.values(releases).map(({ n8n }) => n8n);
	const [oldest] = versions.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
	const { engines } = JSON.parse(read('package.json')) as { engines: { n8n: string } };
	expect(engines.n8n).toBe(`>=${oldest}`);
	expect(read('README.md')).toContain(`n8n ${oldest} or later`);
	expect(OLDEST_N8N).toBe(oldest);
});
