import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, installedOnce } from '../scripts/setup/cache.mjs';
import { packedPackage } from '../test/support/n8n';
import pinned from './peers.json';

const execute = promisify(execFile);

export interface Peer {
	tarball: string;
	folder: string;
}

interface Manifest {
	n8n: { nodes?: string[]; credentials?: string[] };
}

/** The packages of similar scope that ours is compared with, fetched once into the user's cache by name and exact version. */
export async function otherPackages(): Promise<Peer[]> {
	const others: Peer[] = [];
	for (const { name, version } of pinned) others.push(await fetchOnce(`${name}@${version}`));
	return others;
}

/**
 * This package as it would be published.
 *
 * @param outside where it is unpacked: within the project it would find another n8n-workflow
 */
export async function ownPackage(outside: string): Promise<Peer> {
	return await unpack(await packedPackage(), join(outside, 'ours'));
}

/** The files that n8n loads: nodes and credentials, absolute. */
export async function entryPoints({ folder }: Peer): Promise<string[]> {
	const { n8n } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
	const files = [...(n8n.credentials ?? []), ...(n8n.nodes ?? [])];
	return files.map((file) => join(folder, file));
}

async function fetchOnce(specifier: string): Promise<Peer> {
	const hash = createHash('sha256').update(specifier).digest('hex').slice(0, 16);
	const folder = await installedOnce(join(cacheFolder(), 'peers', hash), async (temporary) => {
		await execute('npm', ['pack', '--pack-destination', temporary, specifier], { cwd: temporary });
	});
	const tarball = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
	if (tarball === undefined) throw new Error(`${specifier} is not in ${folder}.`);
	return await unpack(join(folder, tarball), join(folder, 'unpacked'));
}

async function unpack(tarball: string, into: string): Promise<Peer> {
	await rm(into, { recursive: true, force: true });
	await mkdir(into, { recursive: true });
	await execute('tar', ['-xzf', tarball, '-C', into, '--strip-components=1']);
	return { tarball, folder: into };
}
