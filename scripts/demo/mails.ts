import type { SendMailOptions } from 'nodemailer';
import { sendMail } from '../../test/e2e/support/sendMail';

/** A one-page PDF, of the smallest set of objects that readers ask for. */
const PAGE = [
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

const OFFER = { filename: 'offer.pdf', content: PAGE, contentType: 'application/pdf' };

const STOCK = {
	filename: 'stock.csv',
	content: 'item,quantity\r\nenvelopes,120\r\nstamps,80\r\n',
	contentType: 'text/csv',
};

interface SentMail {
	subject: string;
	messageId: string;
}

const now = (): string => new Date().toISOString();

/** The emails of the demo, by the key that sends them. */
const MAILS: Record<string, { name: string; compose(previous?: SentMail): SendMailOptions }> = {
	'': {
		name: 'an email with a PDF and a table',
		compose: () => ({
			subject: `Offer – ${now()}`,
			text: 'Hello,\n\nour offer and the stock report are attached.\n\nZoë\n',
			html: '<p>Hello,</p><p>our offer and the stock report are attached.</p><p>Zoë</p>',
			attachments: [OFFER, STOCK],
		}),
	},
	t: {
		name: 'an email with a table alone; the filter *.pdf ignores it',
		compose: () => ({
			subject: `Stock report – ${now()}`,
			text: 'Hello,\n\nthe stock report is attached.\n\nZoë\n',
			attachments: [STOCK],
		}),
	},
	r: {
		name: 'a reply to the previous email, with the PDF',
		compose: (previous) => ({
			subject: `Re: ${previous?.subject.replace(/^Re: /, '') ?? 'Your question'}`,
			text: `Yes, that is right.\n\nZoë\n\nOn ${now()}, you wrote:\n> Is that so?\n`,
			inReplyTo: previous?.messageId,
			references: previous?.messageId,
			attachments: [OFFER],
		}),
	},
};

/** A line for each key. */
export const KEYS: readonly string[] = [
	'Send more emails:',
	...Object.entries(MAILS).map(([key, { name }]) => {
		const typed = key === '' ? 'Enter' : `${key}, Enter`;
		return `  ${typed.padEnd(10)} ${name}`;
	}),
];

/** Sends the email of a key; gives its subject, or undefined for an unknown key. Rejects when the server refuses it. */
export type DemoMailer = (key: string) => Promise<string | undefined>;

/** Sends the demo's emails by SMTP as any mail server would. */
export function demoMailer(smtpPort: number, to: string): DemoMailer {
	let previous: SentMail | undefined;
	return async (key) => {
		const composed = Object.hasOwn(MAILS, key) && MAILS[key]?.compose(previous);
		if (!composed) return undefined;
		const subject = String(composed.subject);
		const from = '"Zoë Sender" <zoe@example.org>';
		const messageId = await sendMail(smtpPort, { from, to, ...composed });
		previous = { subject, messageId };
		return subject;
	};
}
