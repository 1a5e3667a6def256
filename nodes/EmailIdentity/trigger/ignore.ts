import type { INodeProperties } from 'n8n-workflow';

/** What may be kept from starting the workflow although it was delivered. */
export type Ignored = 'autoReplies' | 'bounces' | 'drafts' | 'lists' | 'sent' | 'spam' | 'trash';

/** Kinds of mail that do not start the workflow, unless they are taken out of the list. */
export const ignoreField: INodeProperties = {
	displayName: 'Ignore',
	name: 'ignore',
	type: 'multiOptions',
	options: [
		{
			name: 'Auto-Replies',
			value: 'autoReplies',
			description: 'Out-of-office notices and other answers that nobody wrote',
		},
		{
			name: 'Bounces and Reports',
			value: 'bounces',
			description: 'What mail servers say about mail: not delivered, read, marked as spam, DMARC',
		},
		{
			name: 'Drafts',
			value: 'drafts',
			description: 'Emails that you have not sent yet',
		},
		{
			name: 'Mailing Lists and Newsletters',
			value: 'lists',
			description: 'Emails to many, also those that a person wrote to a group',
		},
		{
			name: 'Sent',
			value: 'sent',
			description:
				'Emails that you have sent; one to yourself also arrives in your inbox and is received',
		},
		{
			name: 'Spam',
			value: 'spam',
			description: 'Emails in the junk folder, and those that your mail server marked as spam',
		},
		{
			name: 'Trash',
			value: 'trash',
			description: 'Emails that you have deleted',
		},
	],
	default: ['drafts', 'sent', 'spam', 'trash'],
	description:
		'Emails that do not start the workflow. Some services deliver everything that is in the mailbox.',
};
