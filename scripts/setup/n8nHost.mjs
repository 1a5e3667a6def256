import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheFolder, installedOnce } from './cache.mjs';
import { npm, run } from './command.mjs';
import { SetupFailure } from './failure.mjs';
import { node24 } from './node24.mjs';
import { whileSaying } from './progress.mjs';
import { projectFolder } from './project.mjs';

/** The two lines of n8n that the package supports; each is pinned by a lockfile in `test/hosts/`. */
export const LINES = ['2', '1'];

/** Without these two n8n does not start; no other package of n8n needs its install script. */
const NATIVE_MODULES = ['sqlite3', 'isolated-vm'];

/** What compiling a native module takes, where no ready-made one can be fetched. */
const BUILD_TOOLS = ['python3', 'make', 'g++'];

/**
 * Gives a real, pinned n8n, installed at first use into the cache under its lockfile's hash.
 *
 * @param {'1' | '2'} line
 * @returns {Promise<{ line: string, version: string, folder: string, node: string }>} the n8n, the folder it
 *   is in, and the Node to run it with
 * @throws {SetupFailure} when it is not there and cannot be installed
 */
export async function n8nHost(line) {
	if (!LINES.includes(line))
		throw new SetupFailure(`There is no n8n line "${line}": it is 1 or 2.`);
	const pins = join(projectFolder, 'test/hosts', `n8n-${line}`);
	const lockfile = readFileSync(join(pins, 'package-lock.json'));
	const version = JSON.parse(lockfile.toString()).packages['node_modules/n8n'].version;
	const hash = createHash('sha256').update(lockfile).digest('hex').slice(0, 16);
	const node = await node24();
	const folder = await installedOnce(
		join(cacheFolder(), 'hosts', `n8n-${line}-${hash}`),
		(temporary) => install({ pins, folder: temporary, version, node }),
	);
	return { line, version, folder, node: node.bin };
}

async function install({ pins, folder, version, node }) {
	for (const file of ['package.json', 'package-lock.json']) {
		copyFileSync(join(pins, file), join(folder, file));
	}
	const options = {
		cwd: folder,
		node: node.bin,
		env: {
			PATH: [join(node.home, 'bin'), process.env.PATH].join(delimiter),
			npm_config_nodedir: node.home,
		},
	};
	await whileSaying(
		`Installing n8n ${version} into ${cacheFolder()}, once for all clones`,
		() => npm(['ci', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'], options),
		{ usually: '2 to 4 min' },
	);
	await whileSaying("Building n8n's native modules", () => buildNativeModules(options), {
		usually: '1 min',
	});
	if (!existsSync(join(folder, 'node_modules/n8n/bin/n8n'))) {
		throw new SetupFailure(`n8n ${version} was installed, but its program is missing.`);
	}
}

async function buildNativeModules(options) {
	try {
		await npm(['rebuild', ...NATIVE_MODULES, '--ignore-scripts=false'], options);
	} catch (error) {
		const missing = await missingTools();
		if (missing.length === 0) throw error;
		throw new SetupFailure(
			`Building n8n's native modules needs ${missing.join(' and ')}: install ${missing.length > 1 ? 'them' : 'it'} (Debian: apt-get install python3 make g++) and run this again.`,
			error.details,
		);
	}
}

async function missingTools() {
	const missing = [];
	for (const tool of BUILD_TOOLS) {
		try {
			await run(tool, ['--version']);
		} catch {
			missing.push(tool);
		}
	}
	return missing;
}
