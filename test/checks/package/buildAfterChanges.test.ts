import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectFolder } from '../../support/n8n/host';
import { until } from '../../support/n8n/until';
import { freshClone } from '../../release/support/freshClone';

/** What `npm run dev` does with saved changes, without n8n. */
const PROGRAM = `
	import('./scripts/dev/buildAfterChanges.mjs').then(async ({ buildAfterChanges }) => {
		const end = await buildAfterChanges(() => console.log('built'));
		process.once('SIGTERM', end);
		console.log('ready');
	});`;

let clone: string;
let program: ChildProcess;
let output = '';

beforeAll(() => {
	clone = freshClone();
	program = spawn(process.execPath, ['-e', PROGRAM], { cwd: clone });
	for (const stream of [program.stdout!, program.stderr!]) {
		stream.setEncoding('utf8').on('data', (text: string) => (output += text));
	}
});

afterAll(() => {
	program.kill('SIGKILL');
	rmSync(clone, { recursive: true, force: true });
});

const unfinished = () => {
	const folder = join(projectFolder, 'node_modules/.cache');
	const names = existsSync(folder) ? readdirSync(folder) : [];
	return names.filter((name) => name.endsWith(`build-${program.pid}`));
};

test('npm run dev reports a typo in lib, builds the repaired file and leaves nothing behind', async () => {
	const file = join(clone, 'lib/basics/text.ts');
	const code = readFileSync(file, 'utf8');
	const save = (text: string) => writeFileSync(file, text);
	await until('the sources are watched', () => output.includes('ready\n'));
	save(`${code}\nexport functio typo`);
	await until('the typo is reported', () => output.includes('Not built'));
	expect(output).toContain('lib/basics/text.ts');
	expect(output).not.toContain('built\n');
	expect(unfinished()).toEqual([]);
	save(code);
	await until('it is built', () => output.endsWith('built\n'));
	program.kill('SIGTERM');
	expect(await once(program, 'exit')).toEqual([0, null]);
	expect(unfinished()).toEqual([]);
});
