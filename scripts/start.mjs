/**
 * Shows the package at work: a stand-in for the service, a real n8n with the package installed, the
 * example workflows, one real email. Installs what is missing.
 */
import { parseArgs } from 'node:util';
import { runScript, SetupFailure } from './setup/failure.mjs';
import { n8nHost } from './setup/n8nHost.mjs';
import { requireFreePort } from './setup/port.mjs';
import { loadTypeScript } from './setup/typescript.mjs';

const EDITOR_PORT = 5678;
const DIALECTS = ['observed', 'contract', 'fork'];

const USAGE = `npm start                          starts n8n with the nodes and examples, and sends an email
npm start -- --once                ends after showing what the workflow did
npm start -- --dialect <dialect>   the kind of service that the stand-in imitates: ${DIALECTS.join(', ')}
npm start -- --port <port>         the port of the editor (${EDITOR_PORT})`;

function readOptions() {
	const { once, dialect, port, help } = parse();
	if (!DIALECTS.includes(dialect)) {
		throw new SetupFailure(`Unknown dialect "${dialect}".\n${USAGE}`);
	}
	const isPort = port === undefined || (/^[1-9]\d{0,4}$/.test(port) && Number(port) < 65_536);
	if (!isPort) throw new SetupFailure(`"${port}" is not a port: use a number from 1 to 65535.`);
	const usual = once ? undefined : EDITOR_PORT;
	return { once, dialect, help, port: port === undefined ? usual : Number(port) };
}

function parse() {
	try {
		return parseArgs({
			options: {
				once: { type: 'boolean', default: false },
				dialect: { type: 'string', default: DIALECTS[0] },
				port: { type: 'string' },
				help: { type: 'boolean', default: false },
			},
		}).values;
	} catch (error) {
		throw new SetupFailure(`${error.message}\n${USAGE}`);
	}
}

await runScript(async () => {
	const { help, ...options } = readOptions();
	if (help) return void process.stdout.write(`${USAGE}\n`);
	if (options.port) await requireFreePort(options.port);
	const { runDemo } = await loadTypeScript('scripts/demo/demo.ts');
	await n8nHost('2');
	await runDemo(options);
});
