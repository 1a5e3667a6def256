import { parseArgs } from 'node:util';
import { dialectNames, startSandbox, type DialectName, type Sandbox } from './index';

const USAGE = `Usage: npm run sandbox -- [--dialect ${dialectNames.join('|')}] [--port 4025] [--smtp-port 2525] [--control-port 4026]`;

/** A mistake of the user: shown without a stack. */
class StartProblem extends Error {}

function parse() {
	try {
		return parseArgs({
			options: {
				dialect: { type: 'string', default: 'observed' },
				port: { type: 'string', default: '4025' },
				'smtp-port': { type: 'string', default: '2525' },
				'control-port': { type: 'string', default: '4026' },
				help: { type: 'boolean', default: false },
			},
		}).values;
	} catch (error) {
		throw new StartProblem(`${(error as Error).message}\n${USAGE}`);
	}
}

function readPort(text: string): number {
	if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
	throw new StartProblem(`"${text}" is not a port: use a number from 0 (any free port) to 65535.`);
}

async function start(values: ReturnType<typeof parse>): Promise<Sandbox> {
	const dialect = values.dialect as DialectName;
	if (!dialectNames.includes(dialect)) {
		throw new StartProblem(`Unknown dialect "${dialect}": use ${dialectNames.join(', ')}.`);
	}
	const options = {
		...{ dialect, collectionDelay: 1_000, httpPort: readPort(values.port) },
		smtpPort: readPort(values['smtp-port']),
		controlPort: readPort(values['control-port']),
	};
	try {
		return await startSandbox(options);
	} catch (error) {
		const { code, port } = error as NodeJS.ErrnoException & { port?: number };
		if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
		throw new StartProblem(`Port ${port} cannot be used (${code}): choose another.\n${USAGE}`);
	}
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
	const values = parse();
	if (values.help) {
		console.log(USAGE);
		return;
	}
	const sandbox = await start(values);
	console.log(greeting(sandbox));
	for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void sandbox.stop());
}

main().catch((error: unknown) => {
	console.error(error instanceof StartProblem ? error.message : error);
	process.exitCode = 1;
});
