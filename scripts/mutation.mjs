/**
 * Makes small changes to the code of a folder or file, chosen at random, and lists those that no test notices. Not part of CI.
 *
 *   npm run test:mutation -- email/html        a path in lib/ or nodes/EmailIdentity/, such as email, api or trigger/delivery
 *   npm run test:mutation -- api --sample 40   forty changes instead of thirty (--seed 2 for others)
 *
 * `test-results/mutation/` has the list.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runScript, SetupFailure } from './setup/failure.mjs';
import { node24 } from './setup/node24.mjs';
import { readCommandLine } from './setup/options.mjs';
import { installProject, projectFolder } from './setup/project.mjs';

await runScript(async () => {
	const { values, positionals } = readCommandLine(
		{ sample: { type: 'string', default: '30' }, seed: { type: 'string', default: '1' } },
		true,
	);
	const [name = ''] = positionals;
	const path = ['lib', 'nodes/EmailIdentity']
		.map((folder) => join(folder, name))
		.find((place) => name !== '' && existsSync(join(projectFolder, place)));
	if (path === undefined) {
		throw new SetupFailure('Name a folder or file in lib/ or nodes/EmailIdentity/, such as email.');
	}
	await installProject();
	const { bin: node } = await node24();
	// Stryker may have been installed just now.
	const { tryMutants } = await import('./mutation/sample.mjs');
	await tryMutants({ node, path, count: Number(values.sample), seed: Number(values.seed) });
});
