/**
 * Shows the package at work: a stand-in for the service, a real n8n with the package installed, the
 * example workflows, one real email. Installs what is missing.
 */
import { endWithNpm } from './setup/endWithNpm.mjs';
import { runScript, SetupFailure } from './setup/failure.mjs';
import { n8nHost } from './setup/n8nHost.mjs';
import { readCommandLine } from './setup/options.mjs';
import { requireFreePort } from './setup/port.mjs';
import { installToStart } from './setup/project.mjs';
import { together } from './setup/together.mjs';
import { loadTypeScript } from './setup/typescript.mjs';

const EDITOR_PORT = 5678;
const DEFAULT_DIALECT = 'observed';
const DIALECTS = [DEFAULT_DIALECT, 'contract', 'fork'];

const USAGE = `npm start                          starts n8n with the nodes and examples, and sends an email
npm start -- --once                ends after showing what the workflow did
npm start -- --dialect <dialect>   the kind of service that the stand-in imitates: ${DIALECTS.join(', ')}
npm start -- --port <port>         the port of the editor (${EDITOR_PORT})`;

await runScript(async () => {
	endWithNpm();
	const { values } = readCommandLine({
		once: { type: 'boolean', default: false },
		dialect: { type: 'string', default: DEFAULT_DIALECT },
		port: { type: 'string' },
		help: { type: 'boolean', default: false },
	});
	const { once, dialect = DEFAULT_DIALECT, help } = values;
	if (help) return void process.stdout.write(`${USAGE}\n`);
	if (!DIALECTS.includes(dialect)) {
		throw new SetupFailure(`Unknown dialect "${dialect}".\n${USAGE}`);
	}
	const port = readPort(values.port, once ? undefined : EDITOR_PORT);
	if (port) await requireFreePort(port);
	await together((signal) => [installToStart(signal), n8nHost('2', signal)]);
	const { runDemo } = await loadTypeScript('scripts/demo/demo.ts');
	await runDemo({ once, dialect, port });
});

/**
 * @param {string | undefined} text
 * @param {number | undefined} usual
 * @returns {number | undefined}
 */
function readPort(text, usual) {
	if (text === undefined) return usual;
	if (/^[1-9]\d{0,4}$/.test(text) && Number(text) < 65_536) return Number(text);
	throw new SetupFailure(`"${text}" is not a port: use a number from 1 to 65535.`);
}
