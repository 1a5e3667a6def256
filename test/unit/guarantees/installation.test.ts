import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import ts from 'typescript';
import { partOf } from '../../../scripts/setup/lockfilePart.mjs';
import { NEEDED_TO_START } from '../../../scripts/setup/project.mjs';
import { until } from '../../support/n8n/until';

const project = resolve(__dirname, '../../..');

const standIn = join(__dirname, 'support/npmStandIn.cjs');

/** What `npm start`, `npm run dev`, `npm run sandbox` and the build load. */
const BEGINNINGS = [
	'scripts/start.mjs',
	'scripts/demo/demo.ts',
	'scripts/dev.mjs',
	'scripts/dev/develop.ts',
	'sandbox/main.ts',
	'gulpfile.js',
	'nodes/EmailIdentity/EmailIdentity.node.ts',
	'nodes/EmailIdentity/EmailIdentityTrigger.node.ts',
	'credentials/EmailIdentityApi.credentials.ts',
];

/** Node.js or n8n has them. */
const PROVIDED = ['crypto', 'n8n-workflow'];

const TYPES_ONLY = /^(?:import|export) type [^;]*;/gm;

/** The packages that files load, with all the files that they load; what only types need is left out. */
function packagesOf(beginnings: readonly string[]): string[] {
	const files = new Set(beginnings.map((file) => join(project, file)));
	const packages = new Set<string>();
	for (const file of files) {
		const code = readFileSync(file, 'utf8').replace(TYPES_ONLY, '');
		for (const { fileName } of ts.preProcessFile(code, true, true).importedFiles) {
			if (fileName.startsWith('node:') || PROVIDED.includes(fileName)) continue;
			if (!fileName.startsWith('.')) packages.add(fileName.split('/')[0]!);
			const target = join(dirname(file), fileName);
			const found = [target, `${target}.ts`, join(target, 'index.ts')];
			const imported = found.find((path) => /\.m?[jt]s$/.test(path) && existsSync(path));
			if (fileName.startsWith('.') && imported) files.add(imported);
		}
	}
	return [...packages].sort();
}

it('npm start and the build load the packages that are installed for them, and no others are', () => {
	expect(packagesOf(BEGINNINGS)).toEqual(NEEDED_TO_START);
});

it('a part of a lockfile has what its packages need, in the places where they find it, and says what another platform may lack', () => {
	const version = '1.0.0';
	const locked = {
		'': { version },
		'node_modules/one': {
			version,
			dependencies: { two: '*' },
			optionalDependencies: { forWindows: '*' },
		},
		'node_modules/one/node_modules/two': { version: '2.0.0', dependencies: { three: '*' } },
		'node_modules/two': { version },
		'node_modules/three': { version, dev: true },
		'node_modules/forWindows': { version, dependencies: { four: '*' }, optional: true },
		'node_modules/four': { version },
	};
	const part = Object.entries(partOf(locked, ['one'])).map(([place, { optional, dev }]) => [
		place.replaceAll('node_modules/', ''),
		optional,
		dev,
	]);
	expect(part.sort()).toEqual([
		['forWindows', true, false],
		['four', true, false],
		['one', false, false],
		['one/two', false, false],
		['three', false, false],
	]);
});

describe('npm start in a new clone', () => {
	let folder: string;

	beforeEach(async () => {
		folder = await mkdtemp(join(tmpdir(), 'email-identity-clone-'));
		for (const part of ['scripts', 'test/hosts', 'package.json', 'package-lock.json']) {
			cpSync(join(project, part), join(folder, part), { recursive: true });
		}
		mkdirSync(join(folder, 'bin'));
		cpSync(standIn, join(folder, 'bin/npm'));
		chmodSync(join(folder, 'bin/npm'), 0o755);
		await writeFile(join(folder, 'notes'), '');
	});

	afterEach(async () => {
		await rm(folder, { recursive: true, force: true });
	});

	const begin = (command: string[], environment: Record<string, string>) =>
		spawn(command[0]!, command.slice(1), {
			cwd: folder,
			env: {
				PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
				XDG_CACHE_HOME: join(folder, 'cache'),
				INSTALLATION_NOTES: join(folder, 'notes'),
				...environment,
			},
			stdio: ['ignore', 'ignore', 'pipe'],
		});

	/** Runs the script; the demo itself cannot start, because the stand-in for npm installs empty packages. */
	async function start(environment: Record<string, string> = {}): Promise<string> {
		const child = begin([process.execPath, 'scripts/start.mjs', '--once'], environment);
		const [printed] = await Promise.all([text(child.stderr), once(child, 'close')]);
		return printed;
	}

	/** What npm was asked to install; Node.js 24 only on machines with another one. */
	const installed = () =>
		readFileSync(join(folder, 'notes'), 'utf8')
			.split('\n')
			.filter((name) => !['', 'node'].includes(name))
			.sort();

	const hosts = () => readdirSync(join(folder, 'cache/n8n-nodes-email-identity/hosts'));

	const ALL = ['isolated-vm', 'n8n', 'sqlite3', 'tsx'];

	it('installs what it needs, no installation waits for another, and a second start installs nothing', async () => {
		// Each ends when all have begun.
		await start({ TOGETHER: ALL.join(' ') });
		expect(installed()).toEqual(ALL);
		const [host = ''] = hosts();
		const n8n = join(folder, 'cache/n8n-nodes-email-identity/hosts', host);
		for (const name of ['sqlite3', 'isolated-vm']) {
			const built = join(n8n, 'node_modules', name, `build/Release/${name}.node`);
			expect(existsSync(built)).toBe(true);
		}
		expect(existsSync(join(folder, 'node_modules/tsx'))).toBe(true);
		expect(existsSync(join(folder, 'node_modules/jest'))).toBe(false);
		await start();
		expect(installed()).toEqual(ALL);
	});

	it.each([
		['sqlite3', 'Building sqlite3 for n8n failed'],
		['tsx', 'Installing what builds the package and starts the demo failed'],
	])(
		'says that %s could not be installed, stops the others and leaves nothing half-installed',
		async (name, message) => {
			const printed = await start({ TOGETHER: ALL.join(' '), FAILS: name });
			expect(printed).toContain(`no ${name} today`);
			const [last = ''] = printed.trim().split('\n').slice(-1);
			expect(last).toContain(message);
			if (name !== 'tsx') expect(hosts()).toEqual([]);
			await start();
			expect(existsSync(join(folder, 'node_modules/tsx'))).toBe(true);
			expect(hosts()).toHaveLength(1);
		},
	);

	const script = `'${process.execPath}' scripts/start.mjs --once; true`;

	it.each([
		['npm ends its shell', ['sh', '-c', script]],
		['npm is killed', ['sh', '-c', `sh -c "${script}"; true`]],
	])('ends with everything it started when %s', async (_how, command) => {
		const environment = { npm_lifecycle_event: 'start', TOGETHER: 'never' };
		const npm = begin(command, environment);
		await until('an installation has begun', () => installed().length > 0);
		npm.kill('SIGKILL');
		// Each process that was started has the other end. Without its end, npm would give up later.
		expect(await text(npm.stderr)).not.toContain('today');
	});
});
