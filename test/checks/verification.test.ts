import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const project = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');

const page = read('docs/verification.md');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** The tables' rows, without headings. */
const rows = page
	.split('\n')
	.filter((line) => /^\| (?!rule \||---)/.test(line))
	.map((line) => {
		const [, rule = '', how = '', proofs = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
		return { rule, how, proofs: proofs.split('<br>').filter((proof) => proof !== '') };
	});

const isCommitted = (path: string) =>
	execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', path], {
		cwd: project,
		encoding: 'utf8',
	}).trim() !== '';

/** What is wrong with a proof; undefined where it is there. */
function problemOf(proof: string): string | undefined {
	const [, what, name] = /^`([^`]+)`(?:: (.+))?$/.exec(proof) ?? [];
	if (what === undefined) return 'is neither a file nor a command';
	const [, script] = /^npm run ([\w:]+)$/.exec(what) ?? [];
	if (script !== undefined) return script in scripts ? undefined : 'no such script';
	if (!existsSync(join(project, what)) || !isCommitted(what)) return 'no such file';
	if (name === undefined) return undefined;
	const quoted = ["'", '"', '`'].map((quote) => `${quote}${name}${quote}`);
	const escaped = `'${name.replaceAll("'", "\\'")}'`;
	return [...quoted, escaped].some((title) => read(what).includes(title))
		? undefined
		: 'no such test';
}

it('n8n’s rules are in the tables', () => {
	expect(rows.length).toBeGreaterThan(25);
});

it.each(rows)('"$rule" is proved', ({ rule, proofs }) => {
	expect(rule).not.toBe('');
	expect(proofs).not.toEqual([]);
	expect(proofs.map((proof) => [proof, problemOf(proof)])).toEqual(
		proofs.map((proof) => [proof, undefined]),
	);
});

it.each([
	['we take care of it', 'is neither a file nor a command'],
	['`npm run nothing`', 'no such script'],
	['`test/checks/nowhere.test.ts`', 'no such file'],
	['`node_modules/jest/README.md`', 'no such file'],
	['`test/checks/links.test.ts`: something else', 'no such test'],
])('%s is no proof', (proof, problem) => {
	expect(problemOf(proof)).toBe(problem);
});
