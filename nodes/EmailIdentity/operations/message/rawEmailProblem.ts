import { hasEmailField, readHeaderFields } from '../../../../lib/email';

interface RawEmailProblem {
	message: string;
	description: string;
}

const MEGABYTE = 1_000_000;

/** Mail servers accept at most about this much, and reading takes several times as much memory. */
const MAX_BYTES = 50 * MEGABYTE;

/** Bytes in which an email has its first header fields. */
const SEARCHED_FOR_HEADER = 100_000;

/** The start of a compound file (Microsoft, MS-CFB 2.2), the format of .msg files. */
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** The line before each email of a mailbox file (RFC 4155): the sender and the time. */
const MAILBOX_LINE = /^From \S+ {1,2}[A-Z][a-z]{2} [A-Z][a-z]{2} {1,2}\d{1,2} \d{2}:\d{2}/;

/** The same line of Thunderbird, which names nobody. */
const BARE_MAILBOX_LINE = /^From \r?$/;

/** Bytes; the address in it has at most 254. */
const MAX_MAILBOX_LINE = 1000;

const LINE_FEED = '\n'.charCodeAt(0);

/** @returns why bytes are not one email; undefined if they are */
export function rawEmailProblem(bytes: Buffer): RawEmailProblem | undefined {
	if (bytes.length === 0) {
		return {
			message: 'There is no email to parse: the input is empty',
			description: "Check 'Raw Email From' and the field that it names.",
		};
	}
	if (bytes.length > MAX_BYTES) {
		const size = Math.round(bytes.length / MEGABYTE);
		const limit = MAX_BYTES / MEGABYTE;
		return {
			message: 'The email is too large to parse',
			description: `It has ${size} MB, and at most ${limit} MB can be parsed.`,
		};
	}
	if (bytes.subarray(0, COMPOUND_FILE.length).equals(COMPOUND_FILE)) {
		return {
			message: 'This is an Outlook file (.msg), which cannot be parsed',
			description: 'Save the email as .eml: in the new Outlook, select Download → EML.',
		};
	}
	if (holdsSeveralEmails(bytes)) {
		return {
			message: 'This file contains several emails (mbox)',
			description: 'Split it into one file or item for each email.',
		};
	}
	const start = withoutMailboxLine(bytes).toString('latin1', 0, SEARCHED_FOR_HEADER);
	const [header = ''] = start.trimStart().split(/\r?\n[ \t]*\r?\n/, 1);
	if (!hasEmailField(readHeaderFields(header))) {
		return {
			message: 'This is not an email',
			description: 'A raw email begins with header fields such as From and Subject.',
		};
	}
	return undefined;
}

/** Removes the line that a mailbox file has before an email. It is not part of the email. */
export function withoutMailboxLine(bytes: Buffer): Buffer {
	if (!isMailboxLineAt(bytes, 0) && !isBareLineAt(bytes, 0)) return bytes;
	const end = bytes.indexOf(LINE_FEED);
	if (end < 0) return bytes;
	return bytes.subarray(end + 1);
}

function holdsSeveralEmails(bytes: Buffer): boolean {
	const isBare = isBareLineAt(bytes, 0);
	if (!isBare && !isMailboxLineAt(bytes, 0)) return false;
	let at = bytes.indexOf('\nFrom ');
	while (at >= 0) {
		if (isMailboxLineAt(bytes, at + 1)) return true;
		if (isBare && isBareLineAt(bytes, at + 1)) return true;
		at = bytes.indexOf('\nFrom ', at + 1);
	}
	return false;
}

function isMailboxLineAt(bytes: Buffer, start: number): boolean {
	return MAILBOX_LINE.test(lineAt(bytes, start));
}

function isBareLineAt(bytes: Buffer, start: number): boolean {
	return BARE_MAILBOX_LINE.test(lineAt(bytes, start));
}

function lineAt(bytes: Buffer, start: number): string {
	const text = bytes.toString('latin1', start, start + MAX_MAILBOX_LINE);
	const [line = ''] = text.split('\n', 1);
	return line;
}
