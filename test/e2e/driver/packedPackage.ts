import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from './host';

const execute = promisify(execFile);

/** Names a package that is built and packed already, so that a test run does it once. */
export const PACKED_PACKAGE = 'EMAIL_IDENTITY_PACKAGE';

let packed: Promise<string> | undefined;

/** The package as it would be published: a tarball, freshly built unless one was named. */
export async function packedPackage(): Promise<string> {
	packed ??= Promise.resolve(process.env[PACKED_PACKAGE] ?? buildAndPack());
	return await packed;
}

/**
 * Builds this clone and packs it into a temporary folder, as for publishing.
 *
 * @returns the tarball's path
 */
export async function buildAndPack(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'email-identity-package-'));
	const script = join(projectFolder, 'scripts/package.mjs');
	const { stdout } = await execute(process.execPath, [script, folder]);
	return stdout.trim();
}
