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

/** The package as it would be published: a tarball of `npm pack`, freshly built unless one was named. */
export async function packedPackage(): Promise<string> {
	packed ??= Promise.resolve(process.env[PACKED_PACKAGE] ?? buildAndPack());
	return await packed;
}

/**
 * Builds this clone and packs it into a temporary folder.
 *
 * @returns the tarball's path
 */
export async function buildAndPack(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'email-identity-package-'));
	const options = { cwd: projectFolder };
	await execute('npm', ['run', 'build'], options);
	const { stdout } = await execute(
		'npm',
		['pack', '--json', '--pack-destination', folder],
		options,
	);
	return join(folder, fileNameIn(stdout));
}

/** npm 11 answers an array, later ones an object by package name. */
function fileNameIn(answer: string): string {
	const [entry] = Object.values(JSON.parse(answer) as Record<string, { filename: string }>);
	if (!entry) throw new Error(`npm pack named no file: ${answer}`);
	return entry.filename;
}
