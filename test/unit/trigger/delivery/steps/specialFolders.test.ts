import {
	specialFolder,
	type SpecialFolder,
} from '../../../../../nodes/EmailIdentity/trigger/delivery/steps/specialFolders';

/**
 * Of Gmail by IMAP in the language of its owner, decoded or as IMAP writes it, Outlook and Exchange, iCloud, Yahoo, GMX, Zoho,
 * Fastmail, and Dovecot, Courier, cPanel and UW IMAP (below the inbox, with dots); folders below them, and other spellings.
 */
const NAMES: Record<SpecialFolder, string> = {
	sent: `[Gmail]/Sent Mail | [Google Mail]/Sent Mail | [Gmail]/Gesendet | [Gmail]/Messages envoyés |
		[Gmail]/Messages envoy&AOk-s | [Gmail]/Enviados | [Gmail]/E-mails enviados | [Gmail]/Posta inviata |
		[Gmail]/Verzonden berichten | [Gmail]/Skickat mail | [Gmail]/Wys&AUI-ane |
		[Gmail]/&BB4EQgQ,BEAEMAQyBDsENQQ9BD0ESwQ1- | [Gmail]/&kAFP4W4IMH8w4TD8MOs- | Sent Items |
		Gesendete Elemente | Gesendete Objekte | Éléments envoyés | &AMk-l&AOk-ments envoy&AOk-s |
		Elementos enviados | Itens enviados | Verzonden items | 送信済みアイテム | Отправленные | Outbox | Postausgang |
		Sent Messages | Gesendet | INBOX.Sent | INBOX.Sent Messages | Mail/sent | Sent/2026 | INBOX.Sent.2026`,
	drafts: `[Gmail]/Entw&APw-rfe | [Gmail]/Brouillons | [Gmail]/下書き | [Gmail]/&BCcENQRABD0EPgQyBDgEOgQ4- | Draft |
		INBOX.Drafts`,
	trash: `[Gmail]/Bin | [Gmail]/Papierkorb | [Gmail]/Corbeille | [Gmail]/Lixeira | [Gmail]/&V4NXPmh2- |
		Deleted Items | Gelöschte Elemente | Elementos eliminados | Deleted Messages | Trash | inbox.Trash |
		INBOX/Trash | Trash/Projects | [Gmail]/Trash/Projects | Ko\u0161 | Kos\u030c`,
	spam: `[Gmail]/Spam | [Gmail]/&V4NXPpCuTvY- | Junk Email | Junk E-mail | Junk-E-Mail | Courrier indésirable |
		Correo no deseado | Bulk Mail | Bulk | Spamverdacht | INBOX.Junk | INBOX.spam | JUNK`,
	all: `[Gmail]/All Mail | [Gmail]/Alle Nachrichten | [Gmail]/Tous les messages`,
};

const FOLDERS = Object.entries(NAMES).flatMap(([folder, paths]) =>
	paths.split('|').map((path) => [folder, path.trim()]),
);

test.each([...FOLDERS, ['sent', ' sent  items ']])('%s: %s', (expected, path) => {
	expect(specialFolder(path)).toBe(expected);
});

const OWN = `INBOX | inbox | / | . | Projects/Sent offers | Projects/Sent | INBOX/Sent offers | INBOX.Projects.Sent |
		Sent offers | Unsent | Spam reports | Trash talk | Archive | Archive/2026/Spam | [Gmail]/Important |
		[Gmail]/Starred | [Gmail] | Newsletters/Junk | Entw&APw- | & | &- | &&&&- | constructor | __proto__`;

test.each(['', ...OWN.split('|').map((path) => path.trim())])(
	'%s is a folder of the user',
	(path) => {
		expect(specialFolder(path)).toBeUndefined();
	},
);

test('a path of a megabyte is no special folder, and takes no time', () => {
	expect(specialFolder('&AAA'.repeat(250_000))).toBeUndefined();
	expect(specialFolder('Sent/'.repeat(200_000))).toBe('sent');
});
