import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	compatibilityTable,
	withCompatibilityTable,
} from '../../../scripts/tests/compatibilityTable.mjs';
import type { CompleteRun } from '../../../scripts/tests/compatibilityTable.mjs';

const project = join(__dirname, '../../..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');

const runs = JSON.parse(read('test/hosts/compatibility.json')) as Record<string, CompleteRun>;

it("the README's compatibility table is what complete runs of the e2e tests found", () => {
	const readme = read('README.md');
	expect(withCompatibilityTable(readme, compatibilityTable(runs))).toBe(readme);
});

it.each(['1', '2'])('the n8n %s that was tested is the pinned one', (line) => {
	const { dependencies } = JSON.parse(read(`test/hosts/n8n-${line}/package.json`)) as {
		dependencies: { n8n: string };
	};
	expect(runs[line]).toMatchObject({ n8n: dependencies.n8n });
	expect(runs[line]!.passed).toBeGreaterThan(0);
});
