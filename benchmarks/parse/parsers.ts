import { simpleParser } from 'mailparser';
import { readEmail } from '../../test/support/reading';

/** Takes a raw email apart; gives how many files came out, so that both are known to have done the work. */
export type Parse = (rawEmail: string) => Promise<number>;

const OPTIONS = { attachments: true, headers: true, binaryPrefix: 'attachment_' };

export const PARSERS = {
	ours: async (rawEmail) => (await readEmail(rawEmail, undefined, OPTIONS)).files.length,
	mailparser: async (rawEmail) => {
		// Without the HTML that it makes of plain text, because our output has none.
		const { attachments } = await simpleParser(rawEmail, {
			skipTextToHtml: true,
			skipTextLinks: true,
		});
		return attachments.length;
	},
} satisfies Record<string, Parse>;

export type ParserName = keyof typeof PARSERS;
