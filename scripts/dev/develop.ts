import { cp } from 'node:fs/promises';
import { join } from 'node:path';

import { startSandbox } from '../../sandbox';
import { N8n, projectFolder } from '../../test/support/n8n';
import { credentialData } from '../../test/e2e/support/deployment';
import { addressOf } from '../demo/demo';
import { makeFilesFolder } from '../demo/examples';
import { demoMailer, KEYS } from '../demo/mails';
import { describeSurroundings } from '../demo/report';
import { onEachLine, runAndLeaveNothing, untilInterrupted, write } from '../demo/terminal';
import { whileSaying } from '../setup/progress.mjs';

/** Builds after every saved change and calls back; what it returns ends that. */
type BuildAfterChanges = (onBuilt: () => Promise<void>) => () => unknown;

/**
 * Runs an n8n in which the package is replaced whenever a source is saved, until Ctrl-C.
 *
 * @param port of the editor
 */
export async function develop(port: number, buildAfterChanges: BuildAfterChanges): Promise<void> {
	await runAndLeaveNothing(async ({ signal, atEnd }) => {
		const sandbox = await startSandbox({ dialect: 'observed' });
		atEnd(() => sandbox.stop());
		const n8n = await whileSaying('Starting n8n with the package', () =>
			N8n.start({
				release: '2',
				port,
				codeNodes: true,
				signal,
				// n8n looks at the folders of its packages then, and loads them again after a change.
				environment: { N8N_DEV_RELOAD: 'true' },
			}),
		);
		atEnd(() => n8n.stop());
		await n8n.credentials.create(
			'emailIdentityApi',
			credentialData(sandbox),
			'Email Identity (development)',
		);
		atEnd(buildAfterChanges(() => putInto(n8n)));
		await makeFilesFolder(n8n);
		const to = addressOf(sandbox);
		const mail = demoMailer(sandbox.smtpPort, to);
		atEnd(
			onEachLine(async (key) => {
				const subject = await mail(key);
				write(subject === undefined ? KEYS : [`Sent: ${subject}`]);
			}),
		);
		const saved = 'Saved changes are built and loaded by n8n. Ctrl-C stops everything.';
		write([...describeSurroundings(n8n, sandbox, to), ...KEYS, '', saved]);
		await untilInterrupted(signal, n8n);
	});
}

/** Replaces the installed package's files. */
async function putInto({ userFolder }: N8n): Promise<void> {
	const installed = join(userFolder, '.n8n/nodes/node_modules/n8n-nodes-email-identity/dist');
	await cp(join(projectFolder, 'dist'), installed, { recursive: true });
	write(['Built and loaded again.']);
}
