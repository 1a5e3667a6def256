import { cp } from 'node:fs/promises';
import { join } from 'node:path';

import { projectFolder, type N8n } from '../../test/support/n8n';
import { KEYS } from '../demo/mails';
import { describeSurroundings } from '../demo/report';
import { startSurroundings } from '../demo/surroundings';
import { onEachLine, runAndLeaveNothing, untilInterrupted, write } from '../demo/terminal';

/** Builds after every saved change and calls back; resolves with what ends that. */
type BuildAfterChanges = (onBuilt: () => Promise<void>) => Promise<() => unknown>;

/**
 * Runs an n8n in which the package is replaced whenever a source is saved, until Ctrl-C.
 *
 * @param port of the editor
 */
export async function develop(port: number, buildAfterChanges: BuildAfterChanges): Promise<void> {
	await runAndLeaveNothing(async (run) => {
		// n8n looks at the folders of its packages then, and loads them again after a change.
		const environment = { N8N_DEV_RELOAD: 'true' };
		const surroundings = await startSurroundings({ dialect: 'observed', port, environment }, run);
		const { n8n, mail } = surroundings;
		run.atEnd(await buildAfterChanges(() => putInto(n8n)));
		run.atEnd(
			onEachLine(async (key) => {
				const subject = await mail(key);
				write(subject === undefined ? KEYS : [`Sent: ${subject}`]);
			}),
		);
		const saved = 'Saved changes are built and loaded by n8n. Ctrl-C stops everything.';
		write([...describeSurroundings(surroundings), ...KEYS, '', saved]);
		await untilInterrupted(run.signal, n8n);
	});
}

/** Replaces the installed package's files. */
async function putInto({ userFolder }: N8n): Promise<void> {
	const installed = join(userFolder, '.n8n/nodes/node_modules/n8n-nodes-email-identity/dist');
	await cp(join(projectFolder, 'dist'), installed, { recursive: true });
	write(['Built and loaded again.']);
}
