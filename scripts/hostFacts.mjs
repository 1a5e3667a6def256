/**
 * Tests in a real n8n what the code relies on and n8n does not document, then all of test/e2e. Installs what is missing.
 *
 *   npm test -- facts                 the newest pinned n8n
 *   npm test -- facts 2.41.1      any version, or a release of test/hosts, such as 1
 *   npm test -- facts latest      the newest n8n
 */
import { runScript, SetupFailure } from './setup/failure.mjs';
import { newestN8n } from './setup/n8nHost.mjs';
import { runAndSumUp } from './tests/run.mjs';

await runScript(async () => {
	const [wanted = '2', ...more] = process.argv.slice(2);
	if (more.length > 0) throw new SetupFailure('Name one version of n8n, such as 2.41.1.');
	const release = wanted === 'latest' ? await newestN8n() : wanted;
	const title = `What the code relies on, in n8n ${release}`;
	await runAndSumUp([
		{ name: 'hostFacts', title, project: 'hostFacts', release, verbose: true },
		{ name: 'build', title: 'Build and pack', pack: true },
		{ name: 'e2e', title: `Tests in a real n8n ${release}`, project: 'e2e', release },
	]);
});
