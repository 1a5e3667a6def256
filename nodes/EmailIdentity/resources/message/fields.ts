/** The output of a message with Simplify on, in its order. */
export const MESSAGE_FIELDS: readonly string[] = [
	'from',
	'to',
	'cc',
	'subject',
	'date',
	'text',
	'html',
	'attachments',
	'thread',
	'delivery',
];
