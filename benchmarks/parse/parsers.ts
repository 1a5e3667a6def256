import { setImmediate } from 'node:timers/promises';

import { simpleParser } from 'mailparser';
import type { DnsResolver } from '../../lib/dns';
import { openEmail, splitEmail } from '../../lib/email';
import { checkSender } from '../../lib/proof';
import { readEmail } from '../../test/support/reading';

/** Takes a raw email apart; gives how many files came out, so that both are known to have done the work. */
export type Parse = (rawEmail: string) => Promise<number>;

const OPTIONS = { attachments: true, headers: true, binaryPrefix: 'attachment_' };

const pause = async () => await setImmediate();

const { DKIM_KEY = '' } = process.env;

/** Only the key of `senderCheck.ts` is there. */
const RESOLVER: DnsResolver = {
	ask: async (name) =>
		await Promise.resolve(
			name.startsWith('own.') ? { status: 'found', records: [DKIM_KEY] } : { status: 'noSuchName' },
		),
};

export const PARSERS = {
	ours: async (rawEmail) => (await readEmail(rawEmail, undefined, OPTIONS)).files.length,
	proved: async (rawEmail) => {
		const { email, authentication } = await checkSender(splitEmail(rawEmail), {
			resolver: RESOLVER,
			trustedServers: [],
			pause,
			open: async (signed) => await openEmail(signed, { pause }),
		});
		if (email === undefined) throw new Error(authentication.reason ?? '');
		return (await email.read(OPTIONS)).files.length;
	},
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
