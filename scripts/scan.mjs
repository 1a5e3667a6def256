/**
 * Runs n8n's own check of community packages on what would be published, before it is published:
 * the rules are those of `@n8n/scan-community-package`, applied to the same files that it looks at in
 * the registry (the packed package) and in the repository (the sources). Only its look-ups of the
 * registry and of the provenance are left out, because there is nothing published yet.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

import { packInto } from './pack.mjs';

const repository = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = await mkdtemp(path.join(tmpdir(), 'email-identity-scan-'));

try {
	const { packageFolder, size, files } = await packInto(folder);
	console.log(`Packed ${files} files, ${size} bytes.`);
	const failures = [
		...(await scan('the sources', repository, SOURCE_FILE_PATTERNS)),
		...(await scan('the packed package', packageFolder, ['**/*.js', 'package.json'])),
	];
	process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
	await rm(folder, { recursive: true, force: true });
}
