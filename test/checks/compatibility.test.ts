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

it("the README's compatibility table is what complete runs of the tests found", () => {
	const readme = read('README.md');
	expect(withCompatibilityTable(readme, releases)).toBe(readme);
});

const pinned = readdirSync(join(project, 'test/hosts')).filter((name) => name.startsWith('n8n-'));

it.each(pinned.map((name) => name.slice('n8n-'.length)))(
	'the n8n %s that was tested is the pinned one',
	(release) => {
		const { dependencies } = JSON.parse(read(`test/hosts/n8n-${release}/package.json`)) as {
			dependencies: { n8n: string };
		};
		expect(releases[release]).toMatchObject({ n8n: dependencies.n8n });
		expect(releases[release]!.compat!.passed).toBeGreaterThan(0);
	},
);

it('everything was tested in the newest of both lines', () => {
	for (const line of ['1', '2']) expect(releases[line]!.e2e!.passed).toBeGreaterThan(0);
});

it('says in all places which n8n is the oldest', () => {
	const versions = Object.values(releases).map(({ n8n }) => n8n);
	const [oldest] = versions.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
	const { engines } = JSON.parse(read('package.json')) as { engines: { n8n: string } };
	expect(engines.n8n).toBe(`>=${oldest}`);
	expect(read('README.md')).toContain(`n8n ${oldest} or later`);
	expect(OLDEST_N8N).toBe(oldest);
});
