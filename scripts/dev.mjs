/**
 * An n8n for development: `npm run dev` installs what is missing, starts a stand-in for the service and a real n8n with the package,
 * and updates the package after every saved change. Enter sends an email, Ctrl-C ends it.
 */
import { endWithNpm } from './setup/endWithNpm.mjs';
import { runScript } from './setup/failure.mjs';
import { n8nHost } from './setup/n8nHost.mjs';
import { requireFreePort } from './setup/port.mjs';
import { installToStart } from './setup/project.mjs';
import { together } from './setup/together.mjs';
import { loadTypeScript } from './setup/typescript.mjs';

const EDITOR_PORT = 5678;

await runScript(async () => {
	endWithNpm();
	await requireFreePort(EDITOR_PORT);
	await together((signal) => [installToStart(signal), n8nHost('2', signal)]);
	const { develop } = await loadTypeScript('scripts/dev/develop.ts');
	// gulp may have been installed just now.
	const { buildAfterChanges } = await import('./dev/buildAfterChanges.mjs');
	await develop(EDITOR_PORT, buildAfterChanges);
});
