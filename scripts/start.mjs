/**
 * Shows the package at work: a stand-in for the service, a real n8n with the package installed, the
 * example workflows, one real email. Installs what is missing.
 *
 *   npm start                 stays, so that one can look around in the editor
 *   npm start -- --once       ends after showing what the workflow did
 *   npm start -- --dialect contract | observed | fork   which kind of deployment the stand-in imitates
 *   npm start -- --port 5678  where the editor is
 */
import { parseArgs } from 'node:util';
import { requireRecentNode, runScript, SetupFailure } from './setup/failure.mjs';
import { n8nHost } from './setup/n8nHost.mjs';
import { requireFreePort } from './setup/port.mjs';
import { whileSaying } from './setup/progress.mjs';
import { installProject } from './setup/project.mjs';

const EDITOR_PORT = 5678;
const DIALECTS = ['observed', 'contract', 'fork'];

function readOptions() {
	const { once, dialect, port } = parse();
	if (!DIALECTS.includes(dialect)) {
		throw new SetupFailure(`There is no dialect "${dialect}": it is ${DIALECTS.join(' or ')}.`);
	}
	return { once, dialect, port: readPort(port) ?? (once ? undefined : EDITOR_PORT) };
}

function parse() {
	try {
		return parseArgs({
			options: {
				once: { type: 'boolean', default: false },
				dialect: { type: 'string', default: DIALECTS[0] },
				port: { type: 'string' },
			},
		}).values;
	} catch (error) {
		throw new SetupFailure(`${error.message}\nKnown options: --once, --dialect, --port.`);
	}
}

function readPort(text) {
	if (text === undefined) return undefined;
	const port = Number(text);
	if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
	throw new SetupFailure(`"${text}" is no port: give a number from 1 to 65535.`);
}

await runScript(async () => {
	requireRecentNode();
	const options = readOptions();
	if (options.port) await requireFreePort(options.port);
	await installProject();
	await n8nHost('2');
	// Only now is there something to load TypeScript with.
	const { require: requireTypeScript } = await import('tsx/cjs/api');
	const { runDemo } = requireTypeScript('./demo/demo.ts', import.meta.url);
	await runDemo(options, { whileSaying, failure: (message) => new SetupFailure(message) });
});
