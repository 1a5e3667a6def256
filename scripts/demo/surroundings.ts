import { startSandbox, type DialectName } from '../../sandbox';
import { storeCredential } from '../../test/e2e/support/deployment';
import { N8n, packedPackage, type StartOptions } from '../../test/support/n8n';
import { whileSaying } from '../setup/progress.mjs';
import { makeFilesFolder } from './examples';
import { demoMailer } from './mails';
import type { Run } from './terminal';

export type Surroundings = Awaited<ReturnType<typeof startSurroundings>>;

type Options = { dialect: DialectName } & Pick<StartOptions, 'port' | 'environment' | 'logFile'>;

/** Starts n8n with the package, and a stand-in for the service with a credential for it. They end with the run. */
export async function startSurroundings({ dialect, ...options }: Options, { signal, atEnd }: Run) {
	await whileSaying('Building and packing the package', packedPackage);
	signal.throwIfAborted();
	const start = { ...options, release: '2', codeNodes: true, signal };
	const n8n = await whileSaying('Starting n8n with the package installed', () => N8n.start(start));
	atEnd(() => n8n.stop());
	const sandbox = await startSandbox({ dialect });
	atEnd(() => sandbox.stop());
	const credential = await storeCredential(n8n, sandbox);
	signal.throwIfAborted();
	await makeFilesFolder(n8n);
	const to = sandbox.accounts.owner.identities.find(({ kind }) => kind === 'email')!.value;
	return { n8n, sandbox, credential, to, mail: demoMailer(sandbox.smtpPort, to) };
}
