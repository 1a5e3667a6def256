import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ownPackage } from './peers';
import type { Bench, Benchmark, Comparison } from './types';

const KILOBYTE = 1024;

export const weight: Benchmark = {
	name: 'weight',
	title: 'What an installation downloads, and what it takes on the disk',
	async run(bench: Bench) {
		const { tarball, folder } = await ownPackage(bench.outside);
		const packed = (await stat(tarball)).size;
		let unpacked = 0;
		for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
			if (file.isFile()) unpacked += (await stat(join(file.parentPath, file.name))).size;
		}
		return [kilobytes('packed', packed, 285), kilobytes('unpacked', unpacked, 950)];
	},
};

function kilobytes(what: string, bytes: number, atMost: number): Comparison {
	return { what, unit: 'KB', ours: bytes / KILOBYTE, goal: { of: 'ours', atMost } };
}
