import { readMessagePlace } from '../../../nodes/EmailIdentity/api/messagePlace';

const nowhere = { isDraft: false, state: '', folders: [], labels: [] };

test.each<[string, object, object]>([
	['nothing', {}, {}],
	['the flag of a draft', { draft: true }, { isDraft: true }],
	['no draft', { draft: false }, {}],
	['a flag as text', { is_draft: 'true' }, { isDraft: true }],
	['a state', { state: 'Spam' }, { state: 'spam' }],
	[
		'the folder of an IMAP account',
		{ metaData: { imap: { mailboxPath: 'INBOX.Sent', uid: 7 } } },
		{ folders: ['INBOX.Sent'] },
	],
	[
		'the same in other letters',
		{ meta_data: { imap: { mailbox_path: 'Junk' } } },
		{ folders: ['Junk'] },
	],
	['metadata as JSON text', { meta: '{"imap":{"mailboxPath":"Trash"}}' }, { folders: ['Trash'] }],
	[
		'the labels of a Gmail account',
		{ metaData: { gmail: { labelIds: ['SENT', 'Label_7'] } } },
		{ labels: ['SENT', 'LABEL_7'] },
	],
	[
		'a folder and labels of the message itself',
		{ folder: 'Spam', labelIds: ['TRASH'] },
		{ folders: ['Spam'], labels: ['TRASH'] },
	],
	['no metadata', { metaData: null }, {}],
	['metadata of another kind', { metaData: { imap: 'INBOX', gmail: ['SENT'], draft: true } }, {}],
	['metadata that are no JSON', { metaData: '{"imap":' }, {}],
	['labels that are none', { labelIds: [null, {}, ['x'], 3] }, { labels: ['X', '3'] }],
])('%s', (_what, message, expected) => {
	expect(readMessagePlace(message as never)).toEqual({ ...nowhere, ...expected });
});

test('a message costs no more than the largest honest one', () => {
	const labels = Array.from({ length: 100_000 }, () => 'SENT');
	expect(readMessagePlace({ metaData: { gmail: { labelIds: labels } } }).labels).toHaveLength(1000);
	expect(readMessagePlace({ metaData: `{"imap":${' '.repeat(200_000)}{}}` })).toEqual(nowhere);
});
