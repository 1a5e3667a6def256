import { startSandbox, type DialectName, type Sandbox } from '../../sandbox';
import { storeCredential } from '../../test/e2e/support/deployment';
import {
	N8n,
	packedPackage,
	type CredentialReference,
	type StartOptions,
} from '../../test/support/n8n';
import { whileSaying } from '../setup/progress.mjs';
import { makeFilesFolder } from './examples';
import { demoMailer, type DemoMailer } from './mails';
import type { Run } from './terminal';

/** What a demo shows: an n8n, and what it works with. */
export interface Surroundings {
	n8n: N8n;
	sandbox: Sandbox;
	/** Stored in n8n, for the sandbox. */
	credential: CredentialReference;
	/** An address of the sandbox's owner. */
	to: string;
	/** Sends an email of the demo to that address. */
	mail: DemoMailer;
}

interface Options extends Pick<StartOptions, 'environment' | 'logFile' | 'port'> {
	/** The service that the sandbox imitates. */
	dialect: DialectName;
}

/** Starts n8n with the package, and a stand-in for the service with a credential for it. They end with the run. */
export async function startSurroundings(
	{ dialect, ...options }: Options,
	{ signal, atEnd }: Run,
): Promise<Surroundings> {
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
	const address = sandbox.accounts.owner.identities.find(({ kind }) => kind === 'email');
	if (address === undefined) throw new Error('The owner of the sandbox has no address.');
	const to = address.value;
	return { n8n, sandbox, credential, to, mail: demoMailer(sandbox.smtpPort, to) };
}
