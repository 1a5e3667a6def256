import MailComposer from 'nodemailer/lib/mail-composer';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedEmail } from './call';
import type { Dialect } from './dialects';
import type { Receiver } from './mail';
import type { StoredMessage } from './message';
import type { Recording } from './recording';
import type { SentEmail } from './types';

/** Sends emails some time after their request, as the services do: a failure of the mail server is not reported. */
export class Outbox {
	private readonly underWay = new Set<Promise<void>>();

	constructor(
		private readonly receiver: Receiver,
		private readonly dialect: Dialect,
		private readonly sent: Recording<SentEmail>,
		private readonly delayMs: number,
	) {}

	queue(email: AcceptedEmail): void {
		const sending = this.send(email);
		this.underWay.add(sending);
		void sending.finally(() => this.underWay.delete(sending));
	}

	async settled(): Promise<void> {
		while (this.underWay.size > 0) await Promise.all(this.underWay);
	}

	private async send(email: AcceptedEmail): Promise<void> {
		await sleep(this.delayMs);
		// There is no code to send for it: the job fails, and nobody is told.
		if (email.from.meta?.provider === 'inbound') return;
		const raw = await compose(email, this.dialect);
		const { id, from, to, subject } = email;
		this.sent.add({
			id,
			time: Date.now(),
			from: from.value,
			to,
			subject,
			text: email.text ?? null,
			html: email.html ?? null,
			inReplyTo: email.original?.fields.messageId ?? null,
			rawEmail: raw.toString('utf8'),
		});
		// A sent email is a message of the folder Sent, which webhooks get, too.
		await this.receiver.receive(raw, { to: from.value, folder: 'Sent' });
		const { store, dialect } = this.receiver;
		const own = recipientsOf(email, this.dialect).filter((address) =>
			store.recipient(address, dialect),
		);
		if (own.length > 0) await this.receiver.receive(raw, { to: own });
	}
}

/** Kurrier 3.5.0 accepts Cc and Bcc, and sends to none of them. */
function recipientsOf({ to, cc, bcc }: AcceptedEmail, { sending }: Dialect): string[] {
	return sending === 'reply' ? [...to, ...cc, ...bcc] : to;
}

/** The email as the mail server gets it: From has no display name. */
async function compose(email: AcceptedEmail, dialect: Dialect): Promise<Buffer> {
	const { from, to, cc, subject, attachments, original } = email;
	const composer = new MailComposer({
		from: from.value,
		to,
		cc: dialect.sending === 'reply' ? cc : [],
		subject,
		text: original === undefined ? email.text : quotedText(email.text, original),
		html: original === undefined ? email.html : quotedHtml(email.html, original),
		attachments: attachments.map((file) => ({ ...file, encoding: 'base64' })),
		...(original !== undefined && conversationOf(original)),
	});
	return await composer.compile().build();
}

function conversationOf({ fields }: StoredMessage): { inReplyTo?: string; references?: string[] } {
	if (fields.messageId === null) return {};
	const references = [...(fields.references ?? []), fields.messageId];
	return { inReplyTo: fields.messageId, references };
}

const attribution = ({ fields }: StoredMessage): string =>
	`On ${fields.date ?? ''}, ${fields.from?.text ?? ''} wrote:`;

function quotedText(text: string | undefined, original: StoredMessage): string {
	const quotation = (original.fields.text ?? '').replace(/^/gm, '> ');
	return `${text ?? ''}\n\n${attribution(original)}\n${quotation}`;
}

/** Without HTML of the reply, it shows the quotation alone. */
function quotedHtml(html: string | undefined, original: StoredMessage): string {
	const quoted = original.fields.html || (original.fields.textAsHtml ?? '');
	return `${html ?? ''}<p>${attribution(original).replaceAll('<', '&lt;')}</p><blockquote>${quoted}</blockquote>`;
}
