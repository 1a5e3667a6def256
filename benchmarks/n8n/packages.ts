import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packedPackage } from '../../test/e2e/driver';

const execute = promisify(execFile);

/** The node type of the empty trigger that n8n's own cost is measured with. */
export const EMPTY_TRIGGER = 'n8n-nodes-empty-trigger.emptyTrigger';

/** Tarballs of this package and of the empty trigger, to be installed side by side. */
export async function benchPackages(scratch: string): Promise<string[]> {
	const fixture = join(__dirname, '../fixtures/empty-trigger');
	await execute('npm', ['pack', '--pack-destination', scratch], { cwd: fixture });
	return [await packedPackage(), join(scratch, 'n8n-nodes-empty-trigger-1.0.0.tgz')];
}
