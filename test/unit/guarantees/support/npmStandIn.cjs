#!/usr/bin/env node
// A stand-in for npm in test/unit/guarantees/installation.test.ts: it installs empty packages, writes down what it was asked for, and
// ends an installation only when all that the variable TOGETHER lists have begun.
const fs = require('node:fs');
const path = require('node:path');

const { INSTALLATION_NOTES = '', TOGETHER = '', FAILS = '' } = process.env;
/** A limit for what never begins. */
const MAX_WAIT_MS = 60_000;

const folder = process.cwd();
const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8'));
const isNode = process.argv.some((word) => word.startsWith('node@'));
const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });

function nameOfInstallation() {
	if (isNode) return 'node';
	if (dependencies.includes('jest')) return 'everything';
	return ['n8n', 'sqlite3', 'isolated-vm', 'tsx'].find((name) => dependencies.includes(name));
}

function install() {
	const modules = path.join(folder, 'node_modules');
	const places = isNode ? ['node_modules/node/node_modules/node-here'] : [];
	const lockfile = isNode
		? { packages: {} }
		: JSON.parse(fs.readFileSync('package-lock.json', 'utf8'));
	for (const place of [...places, ...dependencies.map((name) => `node_modules/${name}`)]) {
		fs.mkdirSync(path.join(folder, place), { recursive: true });
	}
	fs.writeFileSync(path.join(modules, '.package-lock.json'), JSON.stringify(lockfile));
	const write = (file, text = '') => {
		fs.mkdirSync(path.dirname(path.join(modules, file)), { recursive: true });
		fs.writeFileSync(path.join(modules, file), text);
	};
	if (isNode) {
		write('node/node_modules/node-here/include/node/node.h');
		const bin = path.join(modules, 'node/node_modules/node-here/bin');
		fs.mkdirSync(bin, { recursive: true });
		fs.symlinkSync(process.execPath, path.join(bin, 'node'));
	}
	if (dependencies.includes('n8n')) write('n8n/bin/n8n');
	for (const name of ['sqlite3', 'isolated-vm']) {
		if (dependencies.includes(name)) write(`${name}/build/Release/${name}.node`, 'built');
	}
}

const name = nameOfInstallation();
fs.appendFileSync(INSTALLATION_NOTES, `${name}\n`);
const begun = () => fs.readFileSync(INSTALLATION_NOTES, 'utf8').split('\n');
const isReady = () =>
	name === 'node' || TOGETHER.split(' ').every((other) => other === '' || begun().includes(other));
const start = Date.now();
const timer = setInterval(() => {
	const isTooLate = Date.now() - start > MAX_WAIT_MS;
	if (!isReady() && !isTooLate) return;
	clearInterval(timer);
	if (isTooLate || name === FAILS) {
		console.error(`no ${name} today`);
		process.exit(1);
	}
	install();
}, 20);
