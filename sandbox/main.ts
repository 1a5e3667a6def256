import { parseArgs } from 'node:util';
import { dialectNames, startSandbox, type Sandbox } from '.';

const USAGE = `Usage: npm run sandbox -- [--dialect ${dialectNames.join('|')}] [--port 4025] [--smtp-port 2525] [--control-port 4026]`;

function readOptions() {
	const port = (number: string) => ({ type: 'string', default: number }) as const;
	const { values } = parseArgs({
		options: {
			dialect: { type: 'string', default: 'observed' },
			port: port('4025'),
			'smtp-port': port('2525'),
			'control-port': port('4026'),
			help: { type: 'boolean', default: false },
		},
	});
	const dialect = dialectNames.find((name) => name === values.dialect);
	if (!dialect) throw new Error(`Unknown dialect "${values.dialect}".`);
	return {
		help: values.help,
		dialect,
		collectionDelayMs: 1_000,
		httpPort: Number(values.port),
		smtpPort: Number(values['smtp-port']),
		controlPort: Number(values['control-port']),
	};
}

function greeting({ baseUrl, controlUrl, smtpPort, accounts, dialect }: Sandbox): string {
	const { owner, other } = accounts;
	return [
		`The sandbox speaks the "${dialect.name}" dialect.`,
		`  Base URL       ${baseUrl}`,
		`  API key        ${owner.apiKey}  (${owner.email})`,
		`  Other account  ${other.apiKey}  (${other.email})`,
		`  SMTP           127.0.0.1:${smtpPort}  (try sales@example.test)`,
		`  Control        ${controlUrl}  (calls: sandbox/README.md)`,
		'',
		`  curl -H 'Authorization: Bearer ${owner.apiKey}' ${baseUrl}/identities`,
		'',
		'Stop it with Ctrl-C.',
	].join('\n');
}

async function main(): Promise<void> {
	const { help, ...options } = readOptions();
	if (help) return console.log(USAGE);
	const sandbox = await startSandbox(options);
	console.log(greeting(sandbox));
	for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void sandbox.stop());
}

main().catch((error: Error) => {
	// An unknown option, or a port in use.
	console.error(`${error.message}\n${USAGE}`);
	process.exitCode = 1;
});
