import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const project = join(__dirname, '../../..');

it("is eligible for n8n Cloud, as n8n's own tool says", () => {
	const tool = join(project, 'node_modules/.bin/n8n-node');
	const said = execFileSync(process.execPath, [tool, 'cloud-support'], {
		cwd: project,
		encoding: 'utf8',
		env: { ...process.env, FORCE_COLOR: '0' },
	});
	expect(stripVTControlCharacters(said)).toContain('Status: eligible');
	expect(said).not.toContain('NOT eligible');
}, 30_000);
