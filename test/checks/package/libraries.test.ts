import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { checkSender } from '../../../lib/proof/checkSender';
import { openEmail, splitEmail, type EmailText } from '../../../lib/email';
import { ATTACKS, TRUSTED } from '../../unit/lib/proof/support/attacks';
import { check, NOW } from '../../unit/lib/proof/support/senders';
import { createZoneResolver } from '../../unit/lib/dns/support/zoneResolver';

const project = resolve(__dirname, '../../..');

let folder: string;

beforeAll(() => {
	// As in n8n, what n8n provides is found in a folder above.
	folder = mkdtempSync(join(project, 'node_modules', '.cache-trimmed-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** It is bundled as in the package, with replacements for what `mailauth` never calls (`scripts/build/libraries.mjs`). */
test('the bundled check of signatures returns the same results as the library', async () => {
	const file = join(folder, 'checkSender.cjs');
	const source = join(project, 'lib/proof/index.ts');
	execFileSync(process.execPath, [join(project, 'test/hostile/support/bundle.mjs'), source, file]);
	const bundled = (await import(file)) as { checkSender: typeof checkSender };
	for (const { name, rawEmail, zones } of ATTACKS) {
		const resolver = createZoneResolver(zones);
		const pause = async () => {};
		const open = async (email: EmailText) => await openEmail(email, { pause });
		const options = { ...TRUSTED, resolver, now: NOW, pause, open };
		const { authentication: expected } = await check(rawEmail, zones, options);
		const { authentication } = await bundled.checkSender(splitEmail(rawEmail), options);
		expect({ name, authentication }).toEqual({ name, authentication: expected });
	}
});
