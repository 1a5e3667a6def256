/**
 * Makes small changes to the code of a folder, chosen at random, and lists those that no test notices. Not part of CI.
 *
 *   npm run test:mutation -- api               an area: api, operations, dns, email, proof, trigger/subscription, trigger/delivery
 *   npm run test:mutation -- email/html        or a folder or file in it
 *   npm run test:mutation -- api --sample 40   forty changes instead of thirty (--seed 2 for others)
 *
 * `test-results/mutation/` has the list.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AREAS } from './mutation/tests.mjs';
import { runScript, SetupFailure } from './setup/failure.mjs';
import { node24 } from './setup/node24.mjs';
import { readCommandLine } from './setup/options.mjs';
import { installProject, projectFolder } from './setup/project.mjs';

await runScript(async () => {
	const { values, positionals } = readCommandLine(
		{ sample: { type: 'string', default: '30' }, seed: { type: 'string', default: '1' } },
		true,
	);
	const [folder = ''] = positionals;
	const area = Object.keys(AREAS).find((name) => folder === name || folder.startsWith(`${name}/`));
	const { source = '', tests } = AREAS[area] ?? {};
	const path = source + folder.slice(area?.length);
	if (area === undefined || !existsSync(join(projectFolder, path))) {
		const known = Object.keys(AREAS).join(', ');
		throw new SetupFailure(`Name an area: ${known}, or a folder or file in one of them.`);
	}
	await installProject();
	const { bin: node } = await node24();
	const results = join(projectFolder, 'test-results/mutation');
	mkdirSync(results, { recursive: true });
	// Only now is there a Stryker to draw with.
	const { tryMutants } = await import('./mutation/sample.mjs');
	await tryMutants({
		node,
		project: projectFolder,
		results,
		path,
		levels: tests,
		count: Number(values.sample),
		seed: Number(values.seed),
	});
});
