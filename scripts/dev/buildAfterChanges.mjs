import { once } from 'node:events';
import { promisify } from 'node:util';
import gulp from 'gulp';

import tasks from '../../gulpfile.js';
import { projectFolder } from '../setup/project.mjs';

const SOURCES = ['nodes/**', 'lib/**', 'credentials/**', 'icons/**'];

const build = promisify(tasks.build);

// Without a listener, an error in a step would end this process. It is reported below.
gulp.on('error', () => {});

/**
 * Builds after every saved change and calls back. A build that fails is reported, and the next change is built.
 *
 * @param {() => unknown} onBuilt
 * @returns {Promise<() => Promise<void>>} ends it
 */
export async function buildAfterChanges(onBuilt) {
	/** @type {Promise<unknown>} */
	let building = Promise.resolve();
	const buildAndCallBack = () => {
		const report = (error) => process.stderr.write(`Not built: ${error.message}\n`);
		building = build().then(onBuilt).catch(report);
		return building;
	};
	const watcher = gulp.watch(SOURCES, { cwd: projectFolder }, buildAndCallBack);
	await once(watcher, 'ready');
	return async () => {
		await watcher.close();
		await building;
	};
}
