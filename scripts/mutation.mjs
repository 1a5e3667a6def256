/**
 * Makes small changes to the code of a folder, chosen at random, and lists those that no test notices. Not part of CI.
 *
 *   npm run test:mutation -- api               a folder of nodes/EmailIdentity: api, dns, email, trigger/subscription, trigger/delivery
 *   npm run test:mutation -- email/html        or one within it, or a file
 *   npm run test:mutation -- api --sample 40   forty changes instead of thirty (--seed 2 for others)
 *
 * `test-results/mutation/` has the list.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SOURCES, TESTS } from './mutation/tests.mjs';
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
	await tryMutants({
		...{ node, project: projectFolder, results, folder, levels: TESTS[area] },
		...{ count: Number(values.sample), seed: Number(values.seed) },
	});
});
