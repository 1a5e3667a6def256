import type { StoredIdentity } from '../types';

/** One mailbox that an email turned up in. */
export interface Copy {
	identity: StoredIdentity;
	/** The address that it was sent to, where the service received it itself. */
	deliveredTo: string | null;
	/** Tells the mailboxes of an identity apart. */
	mailbox: string;
	metaData: Record<string, unknown> | null;
}

/** Where an email turned up: received by the service, in a folder read by IMAP, under labels in a Gmail account. */
export interface Origin {
	folder?: string;
	labels?: string[];
}

/** The mailboxes of one identity that an email turns up in: one for each label, otherwise a single one. */
export function copiesFor(
	identity: StoredIdentity,
	address: string,
	{ folder, labels }: Origin,
): Copy[] {
	if (labels) {
		const metaData = { gmail: { labelIds: labels } };
		return labels.map((mailbox) => ({ identity, deliveredTo: null, mailbox, metaData }));
	}
	if (folder !== undefined) {
		const metaData = { imap: { mailboxPath: folder } };
		return [{ identity, deliveredTo: null, mailbox: folder, metaData }];
	}
	return [{ identity, deliveredTo: address, mailbox: 'INBOX', metaData: null }];
}

/** The recipient's own copy, as a receiving server writes it: where it went, and how it came, on top (RFC 5321, 4.4). */
export function stampCopy(raw: Buffer, address: string): Buffer {
	// An address from the envelope holds no line break; one given in a test shall not break out either.
	const recipient = address.replace(/[\r\n]/g, '');
	const trace = [
		`Delivered-To: ${recipient}`,
		'Received: from sender.invalid by mx.sandbox.invalid with ESMTP',
		`\tfor <${recipient}>; ${new Date().toUTCString().replace('GMT', '+0000')}`,
	];
	return Buffer.concat([Buffer.from(`${trace.join('\r\n')}\r\n`), raw]);
}
