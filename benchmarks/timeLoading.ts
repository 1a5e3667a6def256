/** Runs in a process of its own: how long `require` takes for the files that n8n loads of one package. */
import { createRequire } from 'node:module';

const { host, files } = JSON.parse(process.argv[2] ?? '{}') as { host: string; files: string[] };

const load = createRequire(`${host}/`);
// n8n has it in memory long before it loads any community package.
load('n8n-workflow');
const start = performance.now();
for (const file of files) load(file);
process.stdout.write(JSON.stringify(performance.now() - start));
