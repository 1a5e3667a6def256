/**
 * An n8n for development: `npm run dev` installs what is missing, starts a stand-in for the service and a real n8n with the package,
 * and updates the package after every saved change. Enter sends an email, Ctrl-C ends it.
 */
import { runScript } from './setup/failure.mjs';
import { n8nHost } from './setup/n8nHost.mjs';
import { requireFreePort } from './setup/port.mjs';
import { projectFolder } from './setup/project.mjs';
import { loadTypeScript } from './setup/typescript.mjs';

const EDITOR_PORT = 5678;
const SOURCES = ['nodes/**', 'credentials/**', 'icons/**'];

await runScript(async () => {
	await requireFreePort(EDITOR_PORT);
	const { develop } = await loadTypeScript('scripts/dev/develop.ts');
	await n8nHost('2');
	await develop(EDITOR_PORT, await buildAfterChanges());
});

/** Returns a function that builds after every saved change. gulp is imported late, because it may have been installed above. */
async function buildAfterChanges() {
	const { default: gulp } = await import('gulp');
	const { default: tasks } = await import('../gulpfile.js');
	return (onBuilt) => {
		const task = gulp.series(tasks.build, onBuilt);
		const watcher = gulp.watch(SOURCES, { cwd: projectFolder }, task);
		watcher.on('error', (error) => process.stderr.write(`Not built: ${error.message}\n`));
		return () => watcher.close();
	};
}
