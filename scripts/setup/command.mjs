import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { SetupFailure } from './failure.mjs';

const KEPT_OUTPUT = 6_000;

/** What npm prints when the registry cannot be reached, whatever the reason. */
const NETWORK_TROUBLE =
	/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|network request .* failed/;

/** What npm prints when the disk is full or the folder may not be written. */
const DISK_TROUBLE = /ENOSPC|EACCES|EROFS/;

/** npm gives up after seconds, not minutes, when there is no network at all. */
const PATIENCE = [
	'--fetch-retries=3',
	'--fetch-retry-mintimeout=1000',
	'--fetch-retry-maxtimeout=5000',
];

/**
 * Runs a program to its end. It dies with this process.
 *
 * @param {string} program
 * @param {string[]} parameters
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, kept?: number }} [options]
 * @returns {Promise<{ code: number, output: string }>} exit code and the end of what it printed, `kept` characters
 * @throws {SetupFailure} when the program does not exist
 */
export function run(program, parameters, { cwd, env = process.env, kept = KEPT_OUTPUT } = {}) {
	return new Promise((resolve, reject) => {
		const child = spawn(program, parameters, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
		const stop = () => child.kill('SIGTERM');
		process.once('exit', stop);
		let output = '';
		const keep = (chunk) => {
			output = (output + chunk).slice(-kept);
		};
		child.stdout.on('data', keep);
		child.stderr.on('data', keep);
		child.once('error', (error) => {
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
 * Runs npm, with the npm that started this script where there is one, so that the versions fit.
 *
 * @param {string[]} parameters
 * @param {{ cwd: string, node?: string, env?: Record<string, string> }} options folder to work in, Node
 *   to run npm (and everything npm starts) with, further environment
 * @throws {SetupFailure} in plain words for no network, a full disk, and anything else npm says
 */
export async function npm(parameters, options) {
	await printedByNpm(parameters, options);
}

/** As `npm`, for a command that tells something. @returns {Promise<string>} what it printed */
export async function printedByNpm(parameters, { cwd, node = process.execPath, env = {} }) {
	const own = process.env.npm_execpath;
	const viaNode = own !== undefined && basename(own) === 'npm-cli.js';
	const { code, output } = await run(
		viaNode ? node : 'npm',
		[...(viaNode ? [own] : []), ...parameters, ...PATIENCE],
		{ cwd, env: { ...environmentWithoutNpm(), ...env } },
	);
	if (code === 0) return output.trim();
	throw new SetupFailure(explain(parameters[0], output), output.trim());
}

function explain(command, output) {
	if (NETWORK_TROUBLE.test(output)) {
		return 'The npm registry cannot be reached: check the network (and `npm config get registry`), then run this again.';
	}
	if (DISK_TROUBLE.test(output)) {
		return 'npm cannot write its files: make room on the disk or the folder writable, then run this again.';
	}
	return `\`npm ${command}\` failed; what it printed is above.`;
}

/** What an outer `npm start` hands down (its prefix, its project's settings) must not steer this npm. */
function environmentWithoutNpm() {
	const handedDown =
		/^npm_(?!config_(registry|cafile|https?_proxy|proxy|noproxy|userconfig|cache|strict_ssl)$)/i;
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => !handedDown.test(name)));
}
