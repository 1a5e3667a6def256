import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../../..');

/** Who may parse a URL without `lib/basics/hosts.ts`, which bounds the host, and why. */
const REASONS: Record<string, string> = {
	'lib/basics/hosts.ts': 'the one place',
};

test('hosts and URLs are parsed in one place, which bounds what that costs', () => {
	const files = ['nodes', 'lib', 'credentials'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => join(folder, file)),
	);
	const parsing = files.filter((file) =>
		/new URL\(|\bURL\.(?:canParse|parse)\(|domainTo(?:ASCII|Unicode)|toASCII\(/.test(
			readFileSync(join(root, file), 'utf8'),
		),
	);
	expect(parsing.sort()).toEqual(Object.keys(REASONS).sort());
});
