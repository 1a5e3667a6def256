import { PACKED_PACKAGE, packedPackage } from '../n8n';

/** Builds and packs the package once for all test files. */
export default async function packOnce(): Promise<void> {
	process.env[PACKED_PACKAGE] ??= await packedPackage();
}
