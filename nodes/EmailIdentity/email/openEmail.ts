import { Pace } from '../lib/pause';
import { restoreWindows1252 } from '../lib/text';
import { listFileParts, readAttachments, toKnownAttachments, type FilePart } from './attachments';
import { bodyText, readBodies, withReadableText, type Bodies } from './bodyText';
import { loadCharsetsOf } from './charsets';
import { completeFields, readEmailFields, toEmailFields } from './emailFields';
import {
	BEFORE_THE_HEADERS,
	collectHeaders,
	findHeader,
	isNameInEmails,
	readHeaderFields,
	type HeaderField,
} from './headerFields';
import { MAX_HEADER_CHARACTERS, readMimeStructure, type MimeStructure } from './mimeStructure';
import { originOf, type EmailOrigin } from './origin';
import { removeQuotedText } from './reply/removeQuotedText';
import type {
	EmailFields,
	EmailReading,
	KnownEmail,
	OpenedEmail,
	OpenEmailOptions,
	ReadEmailOptions,
} from './types';

const NOTHING_KNOWN: KnownEmail = {
	messageId: '',
	inReplyTo: '',
	references: '',
	from: [],
	to: [],
	cc: [],
	replyTo: [],
	subject: '',
	date: null,
	text: '',
	html: '',
	headers: [],
	attachments: [],
};

const REPLACEMENT = '\ufffd';

const LOST_LETTERS =
	'Some characters of this email were lost before it reached n8n. They are shown as \ufffd. The sender used a charset other than UTF-8 without a transfer encoding.';

const HEADER = /^([a-z-]+)[ \t]*:/gim;

const END_OF_HEADERS = /\n\r*\n/;

const UNKNOWN_ORIGIN: EmailOrigin = {
	automatic: null,
	deliveredTo: () => null,
	topmost: () => '',
};

/**
 * Opens an email: reads its headers and finds its parts without decoding them.
 *
 * @param rawEmail RFC 5322 text with its attachments, decoded as UTF-8, if there is one
 * @returns never fails: an email that cannot be parsed has `parsed: false`
 */
export async function openEmail(
	rawEmail: string | undefined,
	{ pause, known = () => ({}) }: OpenEmailOptions,
): Promise<OpenedEmail> {
	const pace = new Pace(pause);
	try {
		const raw = (rawEmail ?? '').replace(BEFORE_THE_HEADERS, '');
		const noEmail = whyNoEmail(raw);
		const structure = noEmail === undefined ? await readMimeStructure(raw, pace) : undefined;
		const reason = noEmail ?? structure?.excess;
		if (structure && reason === undefined) return await openParsed(raw, structure, known, pace);
		return await openKnown(known, String(reason), structure, pace);
	} catch (error) {
		return await openAfterFault(known, error, pace);
	}
}

/** Reads only the origin of an email from its header. Never fails. */
export async function readOrigin(
	rawEmail: string | undefined,
	known: () => Partial<KnownEmail>,
): Promise<EmailOrigin> {
	try {
		const raw = (rawEmail ?? '').slice(0, MAX_HEADER_CHARACTERS).replace(BEFORE_THE_HEADERS, '');
		if (whyNoEmail(raw) !== undefined) return originOf(toFields(known().headers));
		const header = raw.slice(0, findHeader(raw, 0).end);
		await loadCharsetsOf(header);
		return originOf(readHeaderFields(header));
	} catch {
		return UNKNOWN_ORIGIN;
	}
}

/** Why a text is not an email, in words that follow "because"; undefined if it may be one. */
function whyNoEmail(rawEmail: string): string | undefined {
	if (rawEmail === '') return 'the raw email is missing';
	const end = rawEmail.search(END_OF_HEADERS);
	const headers = end < 0 ? rawEmail : rawEmail.slice(0, end);
	for (const [, name = ''] of headers.matchAll(HEADER)) {
		if (isNameInEmails(name.toLowerCase())) return undefined;
	}
	return 'the raw email has no email headers';
}

async function openParsed(
	rawEmail: string,
	structure: MimeStructure,
	known: () => Partial<KnownEmail>,
	pace: Pace,
): Promise<OpenedEmail> {
	const { leaves } = structure;
	const hasLostLetters = rawEmail.includes(REPLACEMENT);
	const files = leaves.filter(({ isFile }) => isFile);
	let listed: Promise<FilePart[]> | undefined;
	const listFiles = async () => await (listed ??= listFileParts(files, pace));
	const fields = await readEmailFields(structure.fields, pace);
	const { thread, ...others } = fields;
	const read = async (options: ReadEmailOptions): Promise<EmailReading> => {
		const texts = leaves.filter(({ isFile }) => !isFile);
		const bodies = await readBodies(rawEmail, texts, pace);
		const wanted = (await listFiles()).filter(options.isWanted ?? (() => true));
		const { attachments, files: contents } = await readAttachments(rawEmail, wanted, options, pace);
		const shown = await shownBodies(bodies, fields, options, pace);
		const isLost = hasLostLetters && [fields.subject, shown.text, shown.html].some(isDamaged);
		return {
			email: {
				...others,
				...shown,
				attachments,
				thread,
				...(options.headers && { headers: collectHeaders(structure.fields) }),
				...(isLost && { warning: LOST_LETTERS }),
			},
			files: contents,
		};
	};
	return {
		...fields,
		...originOf(structure.fields),
		isParsed: true,
		hasAttachments: files.some(({ inline }) => !inline),
		listFiles,
		read: async (options) =>
			await read(options).catch(
				async (error: unknown) => await (await openAfterFault(known, error, pace)).read(options),
			),
	};
}

/**
 * Uses the email's header if it has one, and known values from the service for the rest.
 *
 * @param reason why it is not parsed, in words that follow "because"
 */
async function openKnown(
	tell: () => Partial<KnownEmail>,
	reason: string,
	structure: MimeStructure | undefined,
	pace: Pace,
): Promise<OpenedEmail> {
	const known = { ...NOTHING_KNOWN, ...tell() };
	const own = structure && (await readEmailFields(structure.fields, pace));
	const ofOthers = await toEmailFields(known, pace);
	const fields = own ? completeFields(own, ofOthers) : ofOthers;
	const { thread, ...others } = fields;
	const attachments = toKnownAttachments(known);
	const bodies: Bodies = {
		text: await bodyText(restoreWindows1252(known.text), pace),
		html: await bodyText(restoreWindows1252(known.html), pace),
	};
	const unread = (structure?.leaves ?? []).filter(({ isFile }) => isFile);
	const knownHeader = toFields(known.headers);
	return {
		...fields,
		...originOf(structure?.fields ?? knownHeader),
		isParsed: false,
		hasAttachments: [...attachments, ...unread].some(({ inline }) => !inline),
		listFiles: async () => [...attachments, ...(await listFileParts(unread, pace))],
		read: async (options) => ({
			email: {
				...others,
				...(await shownBodies(bodies, fields, options, pace).catch(() => bodies)),
				attachments: attachments.filter(options.isWanted ?? (() => true)),
				thread,
				...(options.headers && { headers: collectHeaders(knownHeader) }),
				parsed: false,
				warning: `The email was not parsed because ${reason}. The fields come from other data that the service sent.`,
			},
			files: [],
		}),
	};
}

/** Adds text to an email with only HTML, and removes quoted text from replies if requested. */
async function shownBodies(
	bodies: Bodies,
	fields: EmailFields,
	options: ReadEmailOptions,
	pace: Pace,
): Promise<Bodies> {
	const readable = await withReadableText(bodies, pace);
	if (!options.removeQuotedText || readable.text === null) return readable;
	return { ...readable, text: await removeQuotedText(readable.text, fields, pace) };
}

/** After a fault in this node, the email still starts the workflow, with a warning. */
async function openAfterFault(
	known: () => Partial<KnownEmail>,
	error: unknown,
	pace: Pace,
): Promise<OpenedEmail> {
	const kind = error instanceof Error ? error.name : typeof error;
	const reason = `of a fault in this node (${kind}), not in the email; please report it`;
	return await openKnown(known, reason, undefined, pace).catch(
		async () => await openKnown(() => ({}), reason, undefined, pace),
	);
}

function isDamaged(text: string | null): boolean {
	return text !== null && text.includes(REPLACEMENT);
}

function toFields(headers: KnownEmail['headers'] = []): HeaderField[] {
	return headers.map(({ key, value }) => ({ name: key, value }));
}
