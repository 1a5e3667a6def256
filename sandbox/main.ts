import { parseArgs } from 'node:util';
import { dialectNames, dialects, type DialectName, startSandbox } from './index';
import type { Sandbox } from './types';

const usage = `Usage: npm run sandbox -- [--dialect ${dialectNames.join('|')}] [--port 4025] [--smtp-port 2525] [--control-port 4026]`;

/** A mistake of the person who started it: told in one sentence, without a stack. */
class StartProblem extends Error {}

interface Choices {
	dialect: DialectName;
	httpPort: number;
	smtpPort: number;
	controlPort: number;
}

const portOptions = {
	httpPort: 'port',
	smtpPort: 'smtp-port',
	controlPort: 'control-port',
} as const;

function readPort(text: string, option: string): number {
	const port = Number(text);
	if (Number.isInteger(port) && port >= 0 && port <= 65535 && text.trim() !== '') return port;
	throw new StartProblem(`--${option} must be a number from 0 (any free port) to 65535.`);
}

function isDialectName(name: string): name is DialectName {
	return Object.hasOwn(dialects, name);
}

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
		throw new StartProblem(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
	}
}

function readChoices(values: ReturnType<typeof parse>): Choices {
	const { dialect } = values;
	if (!isDialectName(dialect)) {
		throw new StartProblem(
			`There is no dialect "${dialect}": choose ${dialectNames.join(' or ')}.`,
		);
	}
	return {
		dialect,
		httpPort: readPort(values.port, portOptions.httpPort),
		smtpPort: readPort(values['smtp-port'], portOptions.smtpPort),
		controlPort: readPort(values['control-port'], portOptions.controlPort),
	};
}

async function start(choices: Choices): Promise<Sandbox> {
	try {
		return await startSandbox({ ...choices, collectionDelay: 1_000 });
	} catch (error) {
		const { code, port } = error as NodeJS.ErrnoException & { port?: number };
		if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
		const names = Object.entries(portOptions) as Array<[keyof typeof portOptions, string]>;
		const option = names.find(([name]) => choices[name] === port)?.[1] ?? 'port';
		const reason = code === 'EACCES' ? 'may not be used' : 'is in use';
		throw new StartProblem(`Port ${port} ${reason}: choose another with --${option}.`);
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
		'Stop it with Ctrl+C.',
	].join('\n');
}

async function main(): Promise<void> {
	const values = parse();
	if (values.help) {
		console.log(usage);
		return;
	}
	const sandbox = await start(readChoices(values));
	console.log(greeting(sandbox));
	const stop = () => void sandbox.stop();
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}

main().catch((error: unknown) => {
	console.error(error instanceof StartProblem ? error.message : error);
	process.exitCode = 1;
});
