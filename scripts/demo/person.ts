import type { SendMailOptions } from 'nodemailer';
import { sendMail } from '../../test/e2e/support/sendMail';

/** What the person at the keyboard, or the system, ends a program with. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A signal that aborts when the program is asked to end, instead of ending it at once. */
export function interruption(): AbortSignal {
	const controller = new AbortController();
	for (const name of SIGNALS) process.once(name, () => controller.abort());
	return controller.signal;
}

/** Resolves when the program is asked to end. */
export async function interrupted(signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
}

/** An email that the demo can send. */
export interface DemoMail {
	/** What a person types for it, before Enter. */
	key: '' | 'p' | 'r';
	/** What it is, as the list of keys says it. */
	name: string;
	compose(previous: SentMail | undefined): SendMailOptions;
}

/** What an answer refers to. */
export interface SentMail {
	subject: string;
	messageId: string;
}

const SENDER = '"Zoë Sender" <zoe@example.org>';

/** One page that says what it is, by the smallest set of objects that readers of PDF ask for. */
const OFFER = [
	'%PDF-1.4',
	'1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
	'2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
	'3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj',
	'4 0 obj<</Length 45>>stream',
	'BT /F 18 Tf 20 40 Td (An offer, as a PDF) Tj ET',
	'endstream endobj',
	'5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj',
	'trailer<</Root 1 0 R>>',
	'%%EOF',
	'',
].join('\n');

/** The emails of the demo, by key. */
export const MAILS: readonly DemoMail[] = [
	{
		key: '',
		name: 'an email with a table',
		compose: () => ({
			subject: `Stock report – ${now()}`,
			text: 'Hello,\n\nthe stock report is attached.\n\nZoë\n',
			html: '<p>Hello,</p><p>the stock report is attached.</p><p>Zoë</p>',
			attachments: [
				{
					filename: 'stock.csv',
					content: ['item,quantity', 'envelopes,120', 'stamps,80', ''].join('\r\n'),
					contentType: 'text/csv',
				},
			],
		}),
	},
	{
		key: 'p',
		name: 'one with a PDF',
		compose: () => ({
			subject: `Offer – ${now()}`,
			text: 'Hello,\n\nour offer is attached.\n\nZoë\n',
			attachments: [{ filename: 'offer.pdf', content: OFFER, contentType: 'application/pdf' }],
		}),
	},
	{
		key: 'r',
		name: 'a reply to the email before',
		compose: (previous) => ({
			subject: `Re: ${previous?.subject.replace(/^Re: /, '') ?? 'Your question'}`,
			text: `Yes, that is right.\n\nZoë\n\nOn ${now()}, you wrote:\n> Is that so?\n`,
			inReplyTo: previous?.messageId,
			references: previous?.messageId,
		}),
	},
];

/** Sends the demo's emails by SMTP as any mail server would. */
export class DemoMailer {
	private previous: SentMail | undefined;

	/**
	 * @param smtpPort port on this machine
	 * @param to the address of an identity
	 */
	constructor(
		private readonly smtpPort: number,
		private readonly to: string,
	) {}

	/**
	 * @param key the first email is sent for what is no key
	 * @returns its subject
	 * @throws Error when the server refuses it
	 */
	async send(key = ''): Promise<string> {
		const mail = MAILS.find((candidate) => candidate.key === key) ?? MAILS[0]!;
		const composed = mail.compose(this.previous);
		const subject = String(composed.subject);
		const messageId = await sendMail(this.smtpPort, { from: SENDER, to: this.to, ...composed });
		this.previous = { subject, messageId };
		return subject;
	}
}

function now(): string {
	return new Date().toISOString();
}

/** What a person can type, in one line. */
export const KEYS = `Send more mail:  ${MAILS.map(({ key, name }) => `${key ? `${key} and Enter` : 'Enter'}: ${name}`).join(', ')}`;

/**
 * Sends an email for each line that is typed.
 *
 * @param say tells the person what became of it
 * @returns ends it
 */
export function mailOnKeys(mailer: DemoMailer, say: (line: string) => void): () => void {
	const { stdin } = process;
	const send = (typed: Buffer): void => {
		for (const line of typed.toString().split('\n').slice(0, -1)) {
			mailer.send(line.trim().toLowerCase()).then(
				(subject) => say(`Sent: ${subject}`),
				(error: unknown) => say(`Not sent: ${String(error)}`),
			);
		}
	};
	stdin.on('data', send);
	return () => stdin.off('data', send).pause();
}
