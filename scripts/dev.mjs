/**
 * An n8n to develop in: `npm run dev` installs what is missing, starts the stand-in for the service and a
 * real n8n with the package, and puts every saved change into it. Enter sends an email, Ctrl-C ends it.
 */
import { requireRecentNode, runScript, SetupFailure } from './setup/failure.mjs';
import { n8nHost } from './setup/n8nHost.mjs';
import { requireFreePort } from './setup/port.mjs';
import { installProject, projectFolder } from './setup/project.mjs';
import { whileSaying } from './setup/progress.mjs';

const EDITOR_PORT = 5678;
const SOURCES = ['nodes/**', 'credentials/**', 'icons/**'];

await runScript(async () => {
	requireRecentNode();
	await requireFreePort(EDITOR_PORT);
	await installProject();
	await n8nHost('2');
	// Only now is there something to load TypeScript with.
	const { require: requireTypeScript } = await import('tsx/cjs/api');
	const { develop } = requireTypeScript('./dev/develop.ts', import.meta.url);
	await develop(EDITOR_PORT, await buildAfterChanges(), {
		whileSaying,
		failure: (message) => new SetupFailure(message),
	});
});

/** Hands out a way to build after every saved change. gulp is among the dependencies installed above. */
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
