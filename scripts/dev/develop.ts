import { cp } from 'node:fs/promises';
import { join } from 'node:path';

import { startSandbox } from '../../sandbox';
import { N8n, projectFolder } from '../../test/e2e/driver';
import type { DemoConsole } from '../demo/demo';
import { DemoMailer, interrupted, interruption, mailOnKeys } from '../demo/person';
import { describeSurroundings, makeFilesFolder } from '../demo/report';

/** Builds after every saved change and calls back; what it returns ends that. */
export type BuildAfterChanges = (onBuilt: () => Promise<void>) => () => unknown;

/**
 * Runs an n8n in which the package is replaced whenever a source is saved, until Ctrl-C.
 *
 * @param port of the editor
 */
export async function develop(
	port: number,
	buildAfterChanges: BuildAfterChanges,
	{ whileSaying, failure }: DemoConsole,
): Promise<void> {
	const signal = interruption();
	const closers: (() => unknown)[] = [];
	try {
		const sandbox = await startSandbox({ dialect: 'observed' });
		closers.push(() => sandbox.stop());
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
		closers.push(() => n8n.stop());
		await n8n.credentials.create(
			'emailIdentityApi',
			{
				baseUrl: sandbox.baseUrl,
				apiKey: sandbox.accounts.owner.apiKey,
				allowPrivateWebhookUrls: true,
			},
			'Email Identity (development)',
		);
		closers.push(buildAfterChanges(() => putInto(n8n)));

		const { value: address } = sandbox.accounts.owner.identities.find(
			({ kind }) => kind === 'email',
		)!;
		const files = await makeFilesFolder(n8n);
		closers.push(mailOnKeys(new DemoMailer(sandbox.smtpPort, address), say));

		say(describeSurroundings(n8n, sandbox, address, files).join('\n'));
		say('Saved changes are built and loaded by n8n.');
		await Promise.race([interrupted(signal), n8n.ended()]);
		if (!signal.aborted) throw failure(`n8n ended by itself:\n${n8n.log.tail()}`);
	} finally {
		for (const close of closers.reverse()) await close();
	}
}

/** Replaces the installed package's files. */
async function putInto({ userFolder }: N8n): Promise<void> {
	const installed = join(userFolder, '.n8n/nodes/node_modules/n8n-nodes-email-identity/dist');
	await cp(join(projectFolder, 'dist'), installed, { recursive: true });
	say('Built and loaded again.');
}

function say(line: string): void {
	process.stdout.write(`${line}\n`);
}
