/**
 * Changes the code of a folder in some small ways, drawn by lot, and tells which changes no test notices. Not part of CI.
 *
 *   npm run test:mutation -- api               a folder of nodes/EmailIdentity: api, dns, email, trigger/subscription, trigger/delivery
 *   npm run test:mutation -- email/html        or one within it, or a file
 *   npm run test:mutation -- api --sample 40   forty changes instead of thirty (--seed 2 for others)
 *
 * `test-results/mutation/` has the list.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SOURCES, TESTS } from './mutation/tests.mjs';
import { runScript, SetupFailure } from './setup/failure.mjs';
import { node24 } from './setup/node24.mjs';
import { installProject, projectFolder } from './setup/project.mjs';

await runScript(async () => {
	const { folder, ...lot } = readOptions();
	const area = Object.keys(TESTS).find((name) => folder === name || folder.startsWith(`${name}/`));
	if (area === undefined || !existsSync(join(projectFolder, SOURCES, folder))) {
		const known = Object.keys(TESTS).join(', ');
		throw new SetupFailure(`Name a folder: ${known}, or one within these.`);
	}
	await installProject();
	const { bin: node } = await node24();
	const results = join(projectFolder, 'test-results/mutation');
	mkdirSync(results, { recursive: true });
	// Only now is there a Stryker to draw with.
	const { tryMutants } = await import('./mutation/sample.mjs');
	await tryMutants({ node, project: projectFolder, results, folder, levels: TESTS[area], ...lot });
});

function readOptions() {
	try {
		const { values, positionals } = parseArgs({
			allowPositionals: true,
			options: {
				sample: { type: 'string', default: '30' },
				seed: { type: 'string', default: '1' },
			},
		});
		const [folder = ''] = positionals;
		return { folder, count: Number(values.sample), seed: Number(values.seed) };
	} catch (error) {
		throw new SetupFailure(`${error.message}\nKnown options: --sample <count>, --seed <number>.`);
	}
}
