import { loadMime } from './loadMime';
import { readAttachments } from './attachments';
import { toEmailFields } from './emailFields';
import type { EmailFields } from './emailFields';
import { collectHeaders } from './headers';
import { NOTHING_KNOWN, toKnownAttachments, toKnownFields } from './knownFields';
import { parseEmail } from './parseEmail';
import type { ParsedEmail } from './parseEmail';
import { readHeaderFields } from './readHeaders';
import { withReadableText } from './readableText';
import type { EmailReading, KnownEmail, ReadEmailOptions } from './types';
import { BEFORE_THE_HEADERS, whyNoEmail } from './recognition';

/**
 * Reads one email into the documented shape.
 *
 * @param rawEmail RFC 5322 text with its attachments, decoded as UTF-8, if there is one.
 * @param known tells what else is known of the email; asked for where the raw email is missing or cannot be read.
 * @returns the email, and its files when they were asked for. Never throws: what cannot be parsed has `parsed: false`.
 */
export async function readEmail(
	rawEmail: string | undefined,
	known: (() => Partial<KnownEmail>) | undefined,
	options: ReadEmailOptions,
): Promise<EmailReading> {
	const raw = (rawEmail ?? '').replace(BEFORE_THE_HEADERS, '');
	const unlike = whyNoEmail(raw);
	const parsed = unlike === undefined ? await parseEmail(raw) : { reason: unlike };
	return 'reason' in parsed
		? await readWithoutParsing(raw, { ...NOTHING_KNOWN, ...known?.() }, options, parsed.reason)
		: await readParsed(parsed, options);
}

async function readParsed(
	{ mail, files: parsedFiles }: ParsedEmail,
	options: ReadEmailOptions,
): Promise<EmailReading> {
	const { decodeWords } = await loadMime();
	const { attachments, files } = await readAttachments(parsedFiles, options);
	return {
		email: {
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
	known: KnownEmail,
	options: ReadEmailOptions,
	reason: string,
): Promise<EmailReading> {
	const own = whyNoEmail(raw) === undefined ? await readHeaderFields(raw) : undefined;
	const { decodeWords } = await loadMime();
	const fields = await toKnownFields(known);
	return {
		email: {
			...(await withReadableText({ ...fields, ...(own && pickFilled(own)) })),
			attachments: toKnownAttachments(known),
			...(options.headers && { headers: collectHeaders(known.headers, decodeWords) }),
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
