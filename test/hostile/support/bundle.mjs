/**
 * Bundles TypeScript into one CommonJS file. It is a process of its own, because Jest loads no native ES modules.
 *
 *   node test/hostile/support/bundle.mjs <source> <destination>
 */
import { build } from 'rolldown';

import { libraryPlugins } from '../../../scripts/build/libraries.mjs';

const [input, file] = process.argv.slice(2);

await build({
	input,
	platform: 'node',
	external: ['n8n-workflow', 'crypto'],
	plugins: libraryPlugins,
	output: { file, format: 'cjs', codeSplitting: false },
	logLevel: 'warn',
});
