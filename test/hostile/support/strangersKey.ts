import { createPrivateKey } from 'node:crypto';

import { signedWith } from '../../unit/lib/proof/support/signing';

/** The key pair of RFC 8463, appendix A. */
const PRIVATE_KEY = createPrivateKey({
	key: Buffer.from(
		'302e020100300506032b657004220420' +
			Buffer.from('nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=', 'base64').toString('hex'),
		'hex',
	),
	format: 'der',
	type: 'pkcs8',
});

const SELECTOR = 'own';

/** Names of records begin like this if they are about the stranger's key. */
export const OWN_NAME = `${SELECTOR}.`;

export const OWN_KEY_RECORD = 'v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';

/** Signs an email with a valid signature of its sender, so that Sender Check reads it. Lone line feeds stay as they are. */
export function signedByStranger(rawEmail: string): string {
	const fields = ['From', 'Subject', 'Content-Type'];
	const withLineBreaks = rawEmail.replace(/\r?\n/g, '\r\n');
	const signed = signedWith(PRIVATE_KEY, withLineBreaks, { selector: SELECTOR, fields });
	const field = signed.slice(0, signed.length - withLineBreaks.length);
	// Joined, it is one string, as if it had arrived.
	return [field, rawEmail].join('');
}
