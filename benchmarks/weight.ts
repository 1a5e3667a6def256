import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ownPackage } from './peers';
import type { Bench, Benchmark } from './types';

const KILOBYTE = 1024;

/** Declarations, sources, source maps and leftovers of tools: n8n never reads them. */
const NEVER_RUN = /\.ts$|\.map$|\.tsbuildinfo$/;

/** What is downloaded and installed. */
export const weight: Benchmark = {
	name: 'weight',
	title: 'Size of the package',
	async run(bench: Bench) {
		const { tarball, folder } = await ownPackage(bench.outside);
		const entries = await readdir(folder, { recursive: true, withFileTypes: true });
		let unpacked = 0;
		let idle = 0;
		for (const entry of entries.filter((one) => one.isFile())) {
			const { size } = await stat(join(entry.parentPath, entry.name));
			unpacked += size;
			if (NEVER_RUN.test(entry.name)) idle += size;
		}
		const packed = (await stat(tarball)).size;
		const kilobytes = (what: string, bytes: number, atMost: number) => ({
			...{ what, unit: 'KB', ours: bytes / KILOBYTE },
			goal: { of: 'ours' as const, atMost },
		});
		return [
			kilobytes('packed', packed, 260),
			kilobytes('unpacked', unpacked, 820),
			kilobytes('never run', idle, 0),
		];
	},
};
