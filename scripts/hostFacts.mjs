/**
 * Tries what the code relies on in an n8n: each fact, by name, in a real one with nodes that report what is
 * done with them. Installs what is missing. It fails where a fact does not hold, or could not be tried.
 *
 *   npm run host:facts                the newest n8n that is pinned
 *   npm run host:facts -- 2.41.1      any version; one of test/hosts by its folder's name, too, such as 1
 *   npm run host:facts -- latest      the newest n8n there is
 */
import { runScript, SetupFailure } from './setup/failure.mjs';
import { n8nHost, newestN8n } from './setup/n8nHost.mjs';
import { say } from './setup/progress.mjs';
import { loadTypeScript } from './setup/typescript.mjs';

await runScript(async () => {
	const [wanted = '2', ...more] = process.argv.slice(2);
	if (more.length > 0) throw new SetupFailure('Name one version of n8n, such as 2.41.1.');
	const release = wanted === 'latest' ? await newestN8n() : wanted;
	await n8nHost(release);
	const { tryFacts, toLines } = await loadTypeScript('test/hostFacts/tryFacts.ts');
	const start = performance.now();
	const { version, results } = await tryFacts(release, (result) =>
		process.stdout.write(`${toLines(result)}\n`),
	);
	say(`\nTried in n8n ${version} within ${Math.round((performance.now() - start) / 1000)} s.`);
	const count = (wanted) => results.filter(({ outcome }) => outcome === wanted).length;
	const [holding, broken, untried] = ['holds', 'does not hold', 'could not be tried'].map(count);
	process.stdout.write(
		`n8n ${version}: ${holding} hold, ${broken} do not hold, ${untried} could not be tried\n`,
	);
	if (holding !== results.length) process.exitCode = 1;
});
