import { loadMime } from './loadMime';
import { decodeFile, lighten } from './lightEmail';
import type { EncodedBody } from './lightEmail';
import { mendBoundary } from './mendBoundary';
import type { Attachment, MimeMail } from './mime';
import { readMimeStructure } from './mimeStructure';

export interface ParsedFile {
	attachment: Attachment;
	/** Decodes the content anew at each call, so that nobody keeps what nobody needs. */
	decode(): Buffer;
}

export interface ParsedEmail {
	mail: MimeMail;
	files: ParsedFile[];
}

/** An email that is not parsed, with the reason in words that follow "because". */
export interface UnreadableEmail {
	reason: string;
}

// Where the structure is not certain, the MIME library reads the whole email line by line.
const MOST_LINES = 250_000;
const MOST_BOUNDARY_LIKE_LINES = 2000;

/** Parses a raw email within bounded time and memory. Never throws. */
export async function parseEmail(rawEmail: string): Promise<ParsedEmail | UnreadableEmail> {
	try {
		const parsed = await parseOnce(rawEmail);
		if ('reason' in parsed || !isHollow(parsed)) return parsed;
		return await parseMended(rawEmail, parsed);
	} catch {
		return { reason: 'its headers are too long or its parts are nested too deeply' };
	}
}

async function parseOnce(rawEmail: string): Promise<ParsedEmail | UnreadableEmail> {
	const { parseMime } = await loadMime();
	const structure = readMimeStructure(rawEmail);
	if (structure.excess !== undefined) return { reason: structure.excess };
	if (structure.certain) {
		const light = lighten(rawEmail, structure);
		const mail = withoutHeaders(await parseMime(light.text), light.addedHeaders);
		const files = mail.attachments.map((attachment) => toFile(rawEmail, attachment, light.bodies));
		// Every mark came back as a file, so the MIME library saw the same parts.
		if (light.bodies.size === 0) return { mail, files };
	} else if (
		hasMore(rawEmail, '\n', MOST_LINES) ||
		hasMore(rawEmail, '\n--', MOST_BOUNDARY_LIKE_LINES)
	) {
		return { reason: 'it is too long for its irregular structure' };
	}
	const mail = await parseMime(rawEmail);
	return {
		mail,
		files: mail.attachments.map((attachment) => toFile(rawEmail, attachment, new Map())),
	};
}

/** Takes the body that belongs to the attachment out of `bodies`. */
function toFile(
	rawEmail: string,
	attachment: Attachment,
	bodies: Map<string, EncodedBody>,
): ParsedFile {
	const content = toBuffer(attachment.content);
	const mark = content.length < 100 ? content.toString('latin1').trim() : '';
	const body = bodies.get(mark);
	bodies.delete(mark);
	return { attachment, decode: () => (body ? decodeFile(rawEmail, body) : content) };
}

function toBuffer(content: Attachment['content']): Buffer {
	if (typeof content === 'string') return Buffer.from(content);
	return content instanceof Uint8Array
		? Buffer.from(content)
		: Buffer.from(new Uint8Array(content).buffer);
}

/** A container in which nothing was found: its boundary is not the one that its header names. */
function isHollow({ mail }: ParsedEmail): boolean {
	return mail.text === undefined && mail.html === undefined && mail.attachments.length === 0;
}

async function parseMended(
	rawEmail: string,
	hollow: ParsedEmail,
): Promise<ParsedEmail | UnreadableEmail> {
	const mended = mendBoundary(rawEmail);
	if (mended === undefined) return hollow;
	const parsed = await parseOnce(mended.rawEmail);
	if ('reason' in parsed) return hollow;
	return { ...parsed, mail: withoutHeaders(parsed.mail, mended.addedHeaders) };
}

function withoutHeaders(mail: MimeMail, count: number): MimeMail {
	return count === 0 ? mail : { ...mail, headers: mail.headers.slice(count) };
}

function hasMore(text: string, search: string, count: number): boolean {
	let found = 0;
	for (let at = text.indexOf(search); at >= 0 && found <= count; at = text.indexOf(search, at + 1))
		found++;
	return found > count;
}
