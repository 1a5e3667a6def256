import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const project = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** The last cells of the tables: files and commands. */
const proofs = read('docs/maintainers/verification.md')
	.split('\n')
	.filter((line) => /^\| (?!rule \||---)/.test(line))
	.flatMap((line) => [...(line.split(/(?<!\\)\|/)[2] ?? '').matchAll(/`([^`]+)`/g)])
	.map(([, proof = '']) => proof);

it('every proof of a rule of n8n is a file or a command', () => {
	expect(proofs.length).toBeGreaterThan(20);
	const missing = proofs.filter((proof) => {
		const [, script] = /^npm run ([\w:]+)$/.exec(proof) ?? [];
		return script === undefined ? !existsSync(join(project, proof)) : !(script in scripts);
	});
	expect(missing).toEqual([]);
});
