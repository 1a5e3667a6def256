import { Pace, restoreWindows1252 } from '../basics';
import { EmailParts } from './files/emailParts';
import {
	listFileParts,
	readAttachments,
	toKnownAttachments,
	type FileList,
} from './files/attachments';
import { isReaction } from './message/automatic';
import { bodyText, readBodies, type Bodies } from './text/bodyText';
import { readEmailFields, toEmailFields } from './message/emailFields';
import { collectHeaders } from './mime/headerFields';
import { isShortEnough, writeMarkdown } from './text/markdown';
import { writePlain } from './text/plainText';
import { blocksOf, visibleText, type VisibleText } from './text/visibleText';
import { limitsWith, type Reading } from './limits';
import { readMimeStructure, type MimeStructure } from './mime/mimeStructure';
import { originOf } from './message/origin';
import { readDeliveryReport } from './reports/deliveryReport';
import { removeQuotedText } from './reply/removeQuotedText';
import { isNoEmail, isOfEmail, type EmailText, type HeaderField } from './mime/splitEmail';
import type {
	EmailFields,
	KnownEmail,
	OpenedEmail,
	OpenEmailOptions,
	ReadEmailOptions,
} from './types';

const LOST_LETTERS =
	'Some characters of this email were lost before it reached n8n. They are shown as \ufffd. The sender used a charset other than UTF-8 without a transfer encoding.';

/**
 * Opens an email: reads its headers and finds its parts without decoding them.
 *
 * @param email from {@link splitEmail}; without fields and body if it is missing
 * @returns never fails: an email that cannot be parsed has `parsed: false`
 */
export async function openEmail(
	email: EmailText,
	{ pause, known = () => ({}), limits }: OpenEmailOptions,
): Promise<OpenedEmail> {
	const reading = { limits: limitsWith(limits), pace: new Pace(pause) };
	const openOther = async (reason: string, header: HeaderField[] = []) =>
		await openKnown(known(), reason, header, reading);
	/** After an error in this node, the email still starts the workflow, with a warning. */
	const openAfterFault = async (error: unknown) => {
		const kind = error instanceof Error ? error.name : typeof error;
		const reason = `of a fault in this node (${kind}), not in the email; please report it`;
		return await openOther(reason).catch(async () => await openKnown({}, reason, [], reading));
	};
	try {
		if (isNoEmail(email)) return await openOther('the raw email is missing');
		const { fields } = email;
		const structure = await readMimeStructure(email, reading);
		if (structure.excess !== undefined) return await openOther(structure.excess, fields);
		if (!isOfEmail(fields)) return await openOther('the raw email has no email headers');
		const parsed = await openParsed(email, structure, reading);
		const safely = async <Result>(read: (opened: OpenedEmail) => Promise<Result>) =>
			await read(parsed).catch(async (error) => await read(await openAfterFault(error)));
		return {
			...parsed,
			listFiles: async () => await safely(async (opened) => await opened.listFiles()),
			read: async (options) => await safely(async (opened) => await opened.read(options)),
		};
	} catch (error) {
		return await openAfterFault(error);
	}
}

async function openParsed(
	{ fields: header, body }: EmailText,
	structure: MimeStructure,
	reading: Reading,
): Promise<OpenedEmail> {
	const { leaves, shape } = structure;
	const { pace } = reading;
	const parts = new EmailParts(body, leaves);
	let listing: Promise<FileList> | undefined;
	const listFiles = async () => await (listing ??= listFileParts(parts, structure.totals, reading));
	const fields = await readEmailFields(header, pace);
	const { thread, ...others } = fields;
	const reacts = leaves.some((leaf) => isReaction(leaf.header));
	const origin = { ...originOf(header), ...(reacts && { automatic: 'reaction' as const }) };
	return {
		...fields,
		...origin,
		shape,
		listFiles: async () => (await listFiles()).files,
		read: async (options) => {
			const bodies = await readBodies(await parts.readTexts(reading), reading);
			const { files: all, warnings } = await listFiles();
			const wanted = all.filter(options.isWanted ?? (() => true));
			const { attachments, files } = await readAttachments(wanted, options, reading);
			const visible = await visibleText(bodies, reading, options.textFormat);
			const text = await shownText(visible, fields, options, reading);
			const written = [body, ...header.map(({ value }) => value)];
			const isLost = [fields.subject, text, bodies.html].some(isDamaged) && written.some(isDamaged);
			const warning = [...(isLost ? [LOST_LETTERS] : []), ...warnings].join(' ');
			return {
				email: {
					...others,
					text,
					html: bodies.html,
					attachments,
					thread,
					...(options.headers && { headers: collectHeaders(header) }),
					...(warning !== '' && { warning }),
				},
				files,
				report: readDeliveryReport({
					limits: reading.limits,
					emailBody: body,
					leaves,
					origin,
					...fields,
					text: visible.text,
				}),
			};
		},
	};
}

/**
 * Uses the service's data about an email, but the email's own header if there is one.
 *
 * @param reason why the email is not parsed, as a clause after "because"
 */
async function openKnown(
	known: Partial<KnownEmail>,
	reason: string,
	ownHeader: HeaderField[],
	reading: Reading,
): Promise<OpenedEmail> {
	const { pace } = reading;
	const hasHeader = isOfEmail(ownHeader);
	const header = hasHeader
		? ownHeader
		: (known.headers ?? []).map(({ key, value }) => ({ name: key, value }));
	const fields = hasHeader ? await readEmailFields(header, pace) : await toEmailFields(known, pace);
	const { thread, ...others } = fields;
	const attachments = toKnownAttachments(known);
	const bodies: Bodies = {
		text: await bodyText(restoreWindows1252(known.text ?? ''), reading),
		html: await bodyText(restoreWindows1252(known.html ?? ''), reading),
	};
	return {
		...fields,
		...originOf(header),
		listFiles: async () => attachments,
		read: async (options) => ({
			email: {
				...others,
				text: await visibleText(bodies, reading, options.textFormat)
					.then(async (visible) => await shownText(visible, fields, options, reading))
					.catch(() => bodies.text),
				html: bodies.html,
				attachments: (attachments ?? []).filter(options.isWanted ?? (() => true)),
				thread,
				...(options.headers && { headers: collectHeaders(header) }),
				parsed: false,
				warning: `The email was not parsed because ${reason}. The fields come from other data that the service sent.`,
			},
			files: [],
		}),
	};
}

/** As a user wants it: without quoted text, plain or in Markdown. A text that is too long stays as it is. */
async function shownText(
	visible: VisibleText,
	fields: EmailFields,
	{ removeQuotedText: isReduced, textFormat }: ReadEmailOptions,
	reading: Reading,
): Promise<string | null> {
	const { text } = visible;
	const isMarkdown = textFormat === 'markdown';
	if (text === null || (!isMarkdown && !isReduced)) return text;
	const blocks = await blocksOf(visible, reading);
	if (blocks === undefined) return text;
	const kept = isReduced ? await removeQuotedText(blocks, fields, reading) : blocks;
	if (isMarkdown && isShortEnough(kept)) {
		const markdown = await writeMarkdown(kept, reading.pace);
		return kept === blocks ? markdown.trim() : markdown.trimEnd();
	}
	return kept === blocks ? text : writePlain(kept).trimEnd();
}

const isDamaged = (text: string | null): boolean => text?.includes('\ufffd') === true;
