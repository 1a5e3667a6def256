import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ownPackage } from './peers';
import type { Bench, Benchmark } from './types';

const KILOBYTE = 1024;

export const weight: Benchmark = {
	name: 'weight',
	title: 'Size of the package',
	async run(bench: Bench) {
		const { tarball, folder } = await ownPackage(bench.outside);
		const files = await readdir(folder, { recursive: true, withFileTypes: true });
		let unpacked = 0;
		for (const file of files.filter((entry) => entry.isFile())) {
			unpacked += (await stat(join(file.parentPath, file.name))).size;
		}
		const packed = (await stat(tarball)).size;
		const kilobytes = (what: string, bytes: number, atMost: number) => ({
			what,
			unit: 'KB',
			ours: bytes / KILOBYTE,
			goal: { of: 'ours' as const, atMost },
		});
		return [kilobytes('packed', packed, 275), kilobytes('unpacked', unpacked, 880)];
	},
};
