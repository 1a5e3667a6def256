import { buildAndPack, PACKED_PACKAGE } from '../driver/packedPackage';

/** Builds and packs the package once for all test files, unless whoever started Jest has done so. */
export default async function packOnce(): Promise<void> {
	process.env[PACKED_PACKAGE] ??= await buildAndPack();
}
