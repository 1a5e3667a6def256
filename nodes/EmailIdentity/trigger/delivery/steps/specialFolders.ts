import { plainLetters } from '../../../../../lib/basics';
import { phrasesFor, type Purpose } from '../../../../../lib/email';

/** The folders of a mailbox that hold something else than received mail, and the one that holds everything (RFC 6154). */
export type SpecialFolder = 'all' | 'drafts' | 'sent' | 'spam' | 'trash';

/**
 * The names that providers and mail programs give these folders, in the languages of their users: Gmail, Outlook and Exchange,
 * iCloud, Yahoo, GMX and Web.de, Dovecot and cPanel, Roundcube, Thunderbird, Zimbra. Accents and case do not matter.
 */
const FOLDER_NAMES: ReadonlyArray<[folder: SpecialFolder, purpose: Purpose]> = [
	['all', 'allMailFolders'],
	['drafts', 'draftsFolders'],
	['sent', 'sentFolders'],
	['spam', 'spamFolders'],
	['trash', 'trashFolders'],
];

const FOLDER_OF_NAME = foldersByName();

function foldersByName(): ReadonlyMap<string, SpecialFolder> {
	const folders = new Map<string, SpecialFolder>();
	for (const [folder, purpose] of FOLDER_NAMES) {
		for (const name of phrasesFor(purpose)) folders.set(plainLetters(name), folder);
	}
	return folders;
}

/** Folders that contain the special ones: Dovecot's and Courier's `INBOX.`, Gmail's two, UW IMAP's `mail/`. */
const CONTAINERS: ReadonlySet<string> = new Set(
	['INBOX', '[Gmail]', '[Google Mail]', '[Imap]', 'Mail'].map(plainLetters),
);

/** People choose the names of folders, and the service sends any length. */
const MAX_PATH = 1000;

/** Modified UTF-7 (RFC 3501, 5.1.3): other characters than ASCII as base64 of UTF-16, with a comma for the slash. */
const SHIFTED = /&([A-Za-z0-9+,]*)-/g;

/**
 * The special folder itself, or one below it, but not a user's own `Projects/Sent`.
 *
 * @param path as an IMAP server names it, with `/` or `.` between the folders, decoded or in modified UTF-7
 */
export function specialFolder(path: string): SpecialFolder | undefined {
	const decoded = decodeModifiedUtf7(path.slice(0, MAX_PATH));
	const separator = decoded.includes('/') ? '/' : '.';
	const [first = '', second = ''] = decoded.split(separator).map(plainLetters);
	const folder = CONTAINERS.has(first) ? second : first;
	return FOLDER_OF_NAME.get(folder);
}

function decodeModifiedUtf7(path: string): string {
	return path.replace(SHIFTED, (_written, base64: string) => {
		if (base64 === '') return '&';
		const bytes = Buffer.from(base64.replaceAll(',', '/'), 'base64');
		const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
		return even.swap16().toString('utf16le');
	});
}
