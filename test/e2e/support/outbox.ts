import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import type { CredentialReference, N8n } from '../../support/n8n';

/** The mail server that workflows send with. It keeps every email. */
export interface Outbox {
	/** in the order in which they were sent */
	mails: ParsedMail[];
	/** of this server, in that n8n */
	credential: CredentialReference;
	stop(): Promise<void>;
}

export async function startOutbox(n8n: N8n): Promise<Outbox> {
	const mails: ParsedMail[] = [];
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['AUTH', 'STARTTLS'],
		disableReverseLookup: true,
		onData(stream, _session, done) {
			simpleParser(stream).then((mail) => {
				mails.push(mail);
				done();
			}, done);
		},
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.server.address() as AddressInfo;
	const account = { host: '127.0.0.1', port, secure: false, disableStartTls: true };
	const credential = await n8n.credentials.create('smtp', account);
	const stop = async () => await new Promise<void>((resolve) => server.close(resolve));
	return { mails, credential, stop };
}
