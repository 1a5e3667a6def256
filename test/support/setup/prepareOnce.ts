import { hostOf, PACKED_PACKAGE, packedPackage } from '../n8n';
import { keepMigratedDatabase } from '../n8n/migratedDatabase';

/** Prepares once for all test files: packs the package, and has n8n create a database. */
export default async function prepareOnce(): Promise<void> {
	process.env[PACKED_PACKAGE] ??= await packedPackage();
	await keepMigratedDatabase(hostOf());
}
