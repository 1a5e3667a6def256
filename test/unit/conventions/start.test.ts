import 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const project = resolve(__dirname, '../../..');

const { n8n } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
	n8n: Record<'credentials' | 'nodes', string[]>;
};

/** Their first call loads data of ICU, which takes up to ten milliseconds. */
const SLOW: Array<[object, string]> = [
	[Intl, 'Collator'],
	[Intl, 'DateTimeFormat'],
	[Intl, 'NumberFormat'],
	[Intl, 'Segmenter'],
	[String.prototype, 'localeCompare'],
	[String.prototype, 'normalize'],
	[String.prototype, 'toLocaleLowerCase'],
	[String.prototype, 'toLocaleUpperCase'],
	[Number.prototype, 'toLocaleString'],
	[Date.prototype, 'toLocaleString'],
];

test('nothing that n8n loads at its start sorts or formats by a language', async () => {
	const calls = SLOW.map(([owner, name]) => jest.spyOn(owner as never, name as never));
	for (const file of [...n8n.credentials, ...n8n.nodes]) {
		await import(join(project, file.replace('dist/', '').replace('.js', '.ts')));
	}
	const called = SLOW.filter((_, index) => calls[index]?.mock.calls.length).map(([, name]) => name);
	jest.restoreAllMocks();
	expect(called).toEqual([]);
});
