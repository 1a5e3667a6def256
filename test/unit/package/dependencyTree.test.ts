import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { dependencyTree } from '../../../scripts/release/dependencyTree.mjs';

const lockfile = readFileSync(join(__dirname, '../../../package-lock.json'), 'utf8');
const { packages } = JSON.parse(lockfile) as { packages: Record<string, object> };

it('finds what a package needs where it is installed for it', () => {
	const places = {
		'node_modules/a': { dependencies: { b: '1', c: '1' } },
		'node_modules/a/node_modules/b': { optionalDependencies: { c: '1', missing: '1' } },
		'node_modules/b': {},
		'node_modules/c': { dependencies: { a: '1' } },
		'node_modules/d': {},
	};
	expect([...dependencyTree(places, ['a'])].sort()).toEqual([
		'node_modules/a',
		'node_modules/a/node_modules/b',
		'node_modules/c',
	]);
});

it('tells what builds the package from what only tests use', () => {
	const builders = dependencyTree(packages, ['gulp', 'rolldown']);
	expect(builders).toContain('node_modules/rolldown');
	expect(builders).toContain('node_modules/vinyl-fs');
	expect(builders).not.toContain('node_modules/jest');
});
