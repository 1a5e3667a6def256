import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { SetupFailure } from './failure.mjs';

const KEPT_OUTPUT = 6_000;

/** In npm's output when the registry cannot be reached. */
const NETWORK_TROUBLE =
	/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|network request .* failed/;

/** Without a network, npm gives up after seconds, not minutes. */
const PATIENCE = [
	'--fetch-retries=3',
	'--fetch-retry-mintimeout=1000',
	'--fetch-retry-maxtimeout=5000',
];

/**
 * Runs a program to its end. It ends with this process at the latest.
 *
 * @param {string} program
 * @param {readonly string[]} parameters
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, kept?: number, signal?: AbortSignal, stdio?: import('node:child_process').StdioOptions }} [options]
 * @returns {Promise<{ code: number, output: string }>} exit code and the last `kept` characters that it printed into pipes
 */
export function run(program, parameters, options = {}) {
	const { kept = KEPT_OUTPUT, stdio = ['ignore', 'pipe', 'pipe'], ...rest } = options;
	return new Promise((resolve, reject) => {
		const child = spawn(program, parameters, { stdio, ...rest });
		const stop = () => child.kill('SIGTERM');
		process.once('exit', stop);
		let output = '';
		const keep = (/** @type {Buffer} */ chunk) => {
			output = (output + chunk).slice(-kept);
		};
		child.stdout?.on('data', keep);
		child.stderr?.on('data', keep);
		child.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
			process.off('exit', stop);
			if (error.code !== 'ENOENT') return reject(error);
			reject(
				new SetupFailure(`The program "${program}" is missing: install it and run this again.`),
			);
		});
		child.once('close', (code, signal) => {
			process.off('exit', stop);
			resolve({ code: code ?? 1, output: signal ? `${output}\nended by ${signal}` : output });
		});
	});
}

/**
 * Runs npm; if npm has started this script, the same npm.
 *
 * @param {readonly string[]} parameters
 * @param {{ cwd: string, node?: string, env?: Record<string, string>, signal?: AbortSignal }} options
 * @returns {Promise<string>} what it printed
 * @throws {SetupFailure}
 */
export async function npm(parameters, options) {
	const { cwd, node = process.execPath, env = {}, signal } = options;
	const own = process.env.npm_execpath;
	const startedByNpm = own !== undefined && basename(own) === 'npm-cli.js';
	const [program, ...first] = startedByNpm ? [node, own] : ['npm'];
	const { code, output } = await run(program, [...first, ...parameters, ...PATIENCE], {
		cwd,
		env: { ...environmentWithoutNpm(), ...env },
		signal,
	});
	if (code === 0) return output.trim();
	let reason = `\`npm ${parameters[0]}\` failed; what it printed is above.`;
	if (NETWORK_TROUBLE.test(output)) {
		reason =
			'The npm registry cannot be reached: check the network (and `npm config get registry`), then run this again.';
	}
	throw new SetupFailure(reason, output.trim());
}

/** Settings that an outer `npm start` passes on (its prefix, its project's settings) must not apply to this npm. */
function environmentWithoutNpm() {
	const passedOn =
		/^npm_(?!config_(registry|cafile|https?_proxy|proxy|noproxy|userconfig|cache|strict_ssl)$)/i;
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => !passedOn.test(name)));
}
