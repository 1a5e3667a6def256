import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { allPackages, type Peer } from './peers';
import type { Bench, Benchmark, Comparison, Goal } from './types';

const KILOBYTE = 1024;

/** Declarations, sources, source maps and leftovers of tools: n8n never reads them. */
const NEVER_RUN = /\.d\.ts$|\.ts$|\.map$|\.tsbuildinfo$/;

interface Weight {
	packed: number;
	unpacked: number;
	files: number;
	/** KB that n8n never reads */
	idle: number;
}

const FIGURES: { figure: keyof Weight; what: string; unit: string; goal?: Goal }[] = [
	{ figure: 'packed', what: 'packed', unit: 'KB', goal: { of: 'ours', atMost: 260 } },
	{ figure: 'unpacked', what: 'unpacked', unit: 'KB', goal: { of: 'ours', atMost: 820 } },
	{ figure: 'files', what: 'files', unit: '' },
	{ figure: 'idle', what: 'never run', unit: 'KB', goal: { of: 'ours', atMost: 0 } },
];

/** What is downloaded and installed. */
export const weight: Benchmark = {
	name: 'weight',
	title: 'Size of the package',
	async run(bench: Bench) {
		const packages = await allPackages(bench.outside);
		const weights = await Promise.all(packages.map(weigh));
		const [own, ...others] = weights;
		if (own === undefined) throw new Error('There is no package of ours.');
		return FIGURES.flatMap(({ figure, what, unit, goal }): Comparison[] => [
			{ what, unit, ours: own[figure], goal },
			...others.map((other, index) => ({
				what,
				unit,
				ours: own[figure],
				against: packages[index + 1]?.label,
				theirs: other[figure],
				ratio: other[figure] === 0 ? undefined : own[figure] / other[figure],
			})),
		]);
	},
};

async function weigh({ tarball, folder }: Peer): Promise<Weight> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile());
	let unpacked = 0;
	let idle = 0;
	for (const { parentPath, name } of files) {
		const { size } = await stat(join(parentPath, name));
		unpacked += size;
		if (NEVER_RUN.test(name)) idle += size;
	}
	const packed = (await stat(tarball)).size;
	return {
		packed: packed / KILOBYTE,
		unpacked: unpacked / KILOBYTE,
		files: files.length,
		idle: idle / KILOBYTE,
	};
}
