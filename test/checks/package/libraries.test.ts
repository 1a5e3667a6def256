import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { checkSender } from '../../../lib/proof/checkSender';
import { splitEmail } from '../../../lib/email';
import { ATTACKS, TRUSTED } from '../../unit/lib/proof/support/attacks';
import { check, NOW } from '../../unit/lib/proof/support/senders';
import { createZoneResolver } from '../../unit/lib/dns/support/zoneResolver';

const project = resolve(__dirname, '../../..');

interface Bundled {
	checkSender: typeof checkSender;
}

let folder: string;
let file: string;

/** Bundled as it is shipped, with stand-ins for what `mailauth` never calls (`scripts/build/libraries.mjs`). */
beforeAll(() => {
	// As in n8n, what n8n provides is found above it.
	folder = mkdtempSync(join(project, 'node_modules', '.cache-trimmed-'));
	file = join(folder, 'checkSender.cjs');
	const source = join(project, 'lib/proof/index.ts');
	execFileSync(process.execPath, [join(project, 'test/hostile/support/bundle.mjs'), source, file]);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the bundled check of signatures requires only what n8n provides', () => {
	const required = [...readFileSync(file, 'utf8').matchAll(/\brequire\(["']([^"']+)["']\)/g)];
	const names = required.map(([, name]) => (name ?? '').replace('node:', ''));
	expect([...new Set(names)].sort()).toEqual(['crypto']);
});

test('the bundled check gives the same results as the library', async () => {
	const bundled = (await import(file)) as Bundled;
	for (const { name, rawEmail, zones } of ATTACKS) {
		const resolver = createZoneResolver(zones);
		const options = { ...TRUSTED, resolver, now: NOW, pause: async () => {} };
		const expected = await check(rawEmail, zones, options);
		expect({ name, ...(await bundled.checkSender(splitEmail(rawEmail), options)) }).toEqual({
			name,
			...expected,
		});
	}
});
