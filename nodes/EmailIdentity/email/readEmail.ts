import { loadMime } from './loadMime';
import type { Entry } from '../api/types';
import { readAttachments } from './attachments';
import { toEmailFields } from './emailFields';
import type { EmailFields } from './emailFields';
import { collectHeaders } from './headers';
import {
	idOf,
	readMessageAttachments,
	readMessageFields,
	readMessageHeaders,
} from './messageFields';
import { parseEmail } from './parseEmail';
import type { ParsedEmail } from './parseEmail';
import { readHeaderFields } from './readHeaders';
import { withReadableText } from './readableText';
import type { EmailReading, ReadEmailOptions } from './types';
import { BEFORE_THE_HEADERS, whyNoEmail } from './recognition';

/**
 * Reads one email into the documented shape.
 *
 * @param rawEmail RFC 5322 text with its attachments, decoded as UTF-8, if the service sent it.
 * @param message the service's own record of the email (contract, section 2.3), if it sent one. It gives the `id`,
 * and everything else where the raw email is missing or cannot be read.
 * @returns the email, and its files when they were asked for. Never throws: what cannot be parsed has `parsed: false`.
 */
export async function readEmail(
	rawEmail: string | undefined,
	message: Entry | undefined,
	options: ReadEmailOptions,
): Promise<EmailReading> {
	const raw = (rawEmail ?? '').replace(BEFORE_THE_HEADERS, '');
	const unlike = whyNoEmail(raw);
	const parsed = unlike === undefined ? await parseEmail(raw) : { reason: unlike };
	return 'reason' in parsed
		? await readWithoutParsing(raw, message ?? {}, options, parsed.reason)
		: await readParsed(parsed, message ?? {}, options);
}

async function readParsed(
	{ mail, files: parsedFiles }: ParsedEmail,
	message: Entry,
	options: ReadEmailOptions,
): Promise<EmailReading> {
	const { decodeWords } = await loadMime();
	const { attachments, files } = await readAttachments(parsedFiles, options);
	return {
		email: {
			id: idOf(message),
			...(await withReadableText(toEmailFields(mail))),
			attachments,
			...(options.headers && { headers: collectHeaders(mail.headers, decodeWords) }),
			parsed: true,
		},
		files,
	};
}

/** The email's own headers where it has any, and for the rest what the service says about it. */
async function readWithoutParsing(
	raw: string,
	message: Entry,
	options: ReadEmailOptions,
	reason: string,
): Promise<EmailReading> {
	const own = whyNoEmail(raw) === undefined ? await readHeaderFields(raw) : undefined;
	const known = await readMessageFields(message);
	return {
		email: {
			id: idOf(message),
			...(await withReadableText({ ...known, ...(own && pickFilled(own)) })),
			attachments: readMessageAttachments(message),
			...(options.headers && { headers: await readMessageHeaders(message) }),
			parsed: false,
			warning: `The email was not parsed because ${reason}. What is here comes from what else is known about it.`,
		},
		files: [],
	};
}

function pickFilled(fields: EmailFields): Partial<EmailFields> {
	const isFilled = (value: unknown) =>
		value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => isFilled(value)));
}
