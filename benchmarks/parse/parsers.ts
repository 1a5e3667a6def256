import { simpleParser } from 'mailparser';
import { readEmail } from '../../nodes/EmailIdentity/email';

/** Takes a raw email apart; gives how many files came out, so that both are known to have done the work. */
export type Parse = (rawEmail: string) => Promise<number>;

export const PARSERS = {
	ours: async (rawEmail) => {
		const options = { attachments: true, headers: true, binaryPrefix: 'attachment_' };
		const { files } = await readEmail(rawEmail, undefined, options);
		return files.length;
	},
	mailparser: async (rawEmail) => {
		// It is spared the HTML that it makes of plain text: the output of ours has none.
		const { attachments } = await simpleParser(rawEmail, {
			skipTextToHtml: true,
			skipTextLinks: true,
		});
		return attachments.length;
	},
} satisfies Record<string, Parse>;

export type ParserName = keyof typeof PARSERS;
