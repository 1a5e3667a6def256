import PostalMime from 'postal-mime';
import type { Email as Mail } from 'postal-mime';

import { newPace, readEmail } from '../../reading';
import { readMimeStructure } from '../../../nodes/EmailIdentity/email/mimeStructure';
import type { LeafPart } from '../../../nodes/EmailIdentity/email/mimeStructure';
import { restoreWindows1252 } from '../../../nodes/EmailIdentity/lib/text';
import { corpusFiles, readCorpus } from './corpus';
import { mutate } from './mutation';

/**
 * The MIME library reads addresses, encoded words and charsets; parts and bodies we read ourselves, so that no email can
 * take long. Read as a whole by the library, an email says the same.
 */
const emails = corpusFiles.map(readCorpus);
const spoiled = Array.from({ length: 300 }, (_, seed) => ({
	name: `seed ${seed}`,
	rawEmail: mutate(emails, seed),
}));
const whole = corpusFiles.map((name, index) => ({ name, rawEmail: emails[index] as string }));

const options = { attachments: true, headers: true, binaryPrefix: '' };

const CHARACTERS: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/** Escaped characters, and those that some releases of Node do not know of Windows-1252, may be written in two ways. */
const body = (value: string | null | undefined) =>
	restoreWindows1252(value ?? '')
		.replace(/\r\n/g, '\n')
		.replace(/&#x([0-9A-F]{2});/g, (_all, code: string) => String.fromCharCode(parseInt(code, 16)))
		.replace(/&(?:lt|gt|amp);/g, (name) => CHARACTERS[name] ?? name)
		.trimEnd() || null;

/**
 * What we make of these is more than the library does: wrong boundaries and types are repaired. The line breaks of
 * UTF-16 are not bytes of their own, so that it must not be sent unencoded.
 */
const isRepaired = (rawEmail: string, library: Mail) =>
	(library.text === undefined && library.html === undefined && library.attachments.length === 0) ||
	/utf-16|\ufffd|name=Invoice \(1\)/i.test(rawEmail) ||
	library.attachments.some(({ mimeType }) => !mimeType.includes('/')) ||
	/^content-type:[ \t]*[\w.+-]+\/[\w.+-]+[ \t]+[\w-]+=/im.test(rawEmail);

/** Where no empty line ends a header, the library takes the text for a header. */
const endsWithoutEmptyLine = (raw: string, leaves: LeafPart[]) =>
	leaves.some(
		({ bodyStart }) =>
			!/(?:^|\n)\r*\n$/.test(raw.slice(0, bodyStart)) && !raw.startsWith('--', bodyStart),
	);

/** HTML becomes text in our own way. */
const isTextOfHtml = (raw: string, library: Mail, leaves: LeafPart[]) =>
	(library.text === undefined && library.html !== undefined) ||
	leaves.some(
		({ header, isFile, alternative }) =>
			header.type === 'text/html' && !isFile && alternative === undefined,
	) ||
	leaves.some(
		({ alternative, bodyStart, bodyEnd }) =>
			alternative !== undefined && raw.slice(bodyStart, bodyEnd).trim() === '',
	);

/** The library joins flowed lines whatever their marks of quoting, and a signature to a line that goes on. */
const isJoinedOtherwise = (raw: string, leaves: LeafPart[]) =>
	leaves.some(({ header }) => header.flowed !== undefined) && /^>| \r?\n-- \r?$/m.test(raw);

/** The library takes all text that names no charset for UTF-8. */
const isReadAsUtf8 = ({ text = '', html = '' }: Mail, leaves: LeafPart[]) =>
	(text + html).includes('\ufffd') &&
	leaves.some(({ header, isFile }) => !isFile && !header.charset);

test.each([...whole, ...spoiled])(
	'$name says what the MIME library reads',
	async ({ rawEmail }) => {
		const raw = rawEmail.replace(/^[\uFEFF\s]+/, '').toWellFormed();
		const { email } = await readEmail(raw, undefined, options);
		const library = await PostalMime.parse(raw, { forceRfc822Attachments: true });
		if (email.parsed === false || isRepaired(raw, library)) return;
		const { fields, leaves } = await readMimeStructure(raw, newPace());
		if (endsWithoutEmptyLine(raw, leaves)) return;
		const skipHtml = isReadAsUtf8(library, leaves);
		const skipText =
			skipHtml || isTextOfHtml(raw, library, leaves) || isJoinedOtherwise(raw, leaves);
		expect({
			headers: fields.map(({ name, value }) => [name, value]),
			html: skipHtml || body(email.html),
			text: skipText || body(email.text),
			files: leaves
				.filter(({ isFile }) => isFile)
				.map(({ header }) => [header.type, header.fileName, header.contentId]),
		}).toEqual({
			headers: library.headers.map(({ key, value }) => [key, value]),
			html: skipHtml || body(library.html),
			text: skipText || body(library.text),
			files: library.attachments.map(({ mimeType, filename, contentId }) => [
				mimeType,
				filename,
				contentId,
			]),
		});
	},
);
