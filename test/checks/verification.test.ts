import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { selectSteps } from '../../scripts/tests/steps.mjs';

const project = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** The last cells of the tables: files and commands. */
const proofs = read('docs/maintainers/verification.md')
	.split('\n')
	.filter((line) => /^\| (?!rule \||---)/.test(line))
	.flatMap((line) => [...(line.split(/(?<!\\)\|/)[3] ?? '').matchAll(/`([^`]+)`/g)])
	.map(([, proof = '']) => proof);

it('every proof of a rule of n8n is a file or a command', () => {
	expect(proofs.length).toBeGreaterThan(25);
	const missing = proofs.filter((proof) => {
		const [, script, step] = /^npm (?:run ([\w:]+)|test -- (\w+))$/.exec(proof) ?? [];
		if (step !== undefined) return selectSteps([step]).filters.length > 0;
		return script === undefined ? !existsSync(join(project, proof)) : !(script in scripts);
	});
	expect(missing).toEqual([]);
});
