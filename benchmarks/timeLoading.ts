/** Runs in a process of its own: how long `require` takes for the files that n8n loads of one package. */
import { createRequire } from 'node:module';

export interface LoadingTask {
	/** The folder with n8n-workflow. */
	host: string;
	/** Absolute paths. */
	files: string[];
}

const { host, files } = JSON.parse(process.argv[2] ?? '{}') as LoadingTask;

const load = createRequire(`${host}/`);
// n8n has it in memory long before it loads any community package.
load('n8n-workflow');
const start = performance.now();
for (const file of files) load(file);
process.stdout.write(JSON.stringify(performance.now() - start));
