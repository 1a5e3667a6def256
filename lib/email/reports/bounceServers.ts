/** How a mail server writes about the recipients of an email that it could not deliver. */
export interface BounceServer {
	/** Names of the servers, as people know them. */
	name: string;
	/** Words above the recipients, in any case; a blank may be a line break. Missing: as another server's, or none. */
	words?: string;
	/** The result that these words report; default: `bounce`. */
	kind?: 'bounce' | 'delay';
	/** Text before an address on its line; default: nothing. */
	before?: string;
	/**
	 * Text after an address on its line; default: a colon, or nothing, and the reason. `ADDRESS` is the address again,
	 * `REASON` the reason, `WORDS` anything that says nothing about it.
	 */
	after?: string;
	/** A text with `ada@example.org`, for the tests. */
	sample: {
		lines: readonly string[];
		/** Why she did not get the email, by this text. */
		reason: string;
	};
}

/**
 * All of these are tried in this order, each part by itself, because servers of the same family write alike: first the words
 * in the text, then what stands before and after the addresses below them.
 */
export const BOUNCE_SERVERS: readonly BounceServer[] = [
	{
		name: 'Exim, an email that is still tried',
		words: 'to which the message has not yet been delivered',
		kind: 'delay',
		sample: {
			lines: [
				'The address to which the message has not yet been delivered is:',
				'',
				'  ada@example.org',
				'    Delay reason: 451 4.7.1 Later',
			],
			reason: '451 4.7.1 Later',
		},
	},
	{
		name: 'sendmail, an email that is still tried',
		words: 'transient non-fatal errors',
		kind: 'delay',
		sample: {
			lines: [
				'--- The following addresses had transient non-fatal errors ---',
				'<ada@example.org>',
				'  (reason: 451 4.7.1 Later)',
			],
			reason: '451 4.7.1 Later',
		},
	},
	{
		name: 'Gmail until 2016, an email that is still tried',
		words: 'recipient has been delayed',
		kind: 'delay',
		sample: {
			lines: [
				'Delivery to the following recipient has been delayed:',
				'',
				'     ada@example.org',
				'',
				'Message will be retried',
			],
			reason: 'Message will be retried',
		},
	},
	{
		name: 'OpenSMTPD, an email that is still tried',
		words: 'delayed for more than',
		kind: 'delay',
		sample: {
			lines: [
				'A message is delayed for more than 4 hours for the following',
				'list of recipients:',
				'',
				'ada@example.org: Network error',
			],
			reason: 'Network error',
		},
	},
	{
		name: 'qmail, Exim, sendmail, Yahoo, Mail.ru',
		words: 'the following address',
		sample: {
			lines: [
				"I wasn't able to deliver your message to the following addresses.",
				'',
				'<ada@example.org>:',
				'Unknown user',
			],
			reason: 'Unknown user',
		},
	},
	{
		name: 'GMX, 1&1',
		words: 'the following address',
		sample: {
			lines: [
				'A message could not be delivered to the following address',
				'failed:',
				'',
				'"ada@example.org":',
				'SMTP error: 550 Unknown user',
			],
			reason: '550 Unknown user',
		},
	},
	{
		name: 'Active! hunter',
		words: 'the following address',
		before: '>',
		after: '<ADDRESS>',
		sample: {
			lines: [
				'This is an automatic answer about the following addresses.',
				'',
				'>>> ada@example.org <ada@example.org>',
				'',
				'550 Unknown user',
			],
			reason: '550 Unknown user',
		},
	},
	{
		name: 'Gmail until 2016, Courier, Amazon SES',
		words: 'following recipient',
		sample: {
			lines: [
				'Delivery to the following recipient failed permanently:',
				'',
				'     ada@example.org',
				'',
				'The recipient server did not accept it: 550 5.1.1 Unknown',
			],
			reason: '550 5.1.1 Unknown',
		},
	},
	{
		name: 'Exchange 2003',
		words: 'following recipient',
		after: 'on WORDS',
		sample: {
			lines: [
				'The following recipient(s) could not be reached:',
				'',
				'  ada@example.org on 11/21/2026 9:00 AM',
				'    Unknown user',
			],
			reason: 'Unknown user',
		},
	},
	{
		name: 'Exchange 5.5',
		words: 'following recipient',
		after: '(ADDRESS)',
		sample: {
			lines: [
				'The following recipients could not be reached:',
				'',
				'  ada@example.org (ada@example.org)',
				'    Unknown user',
			],
			reason: 'Unknown user',
		},
	},
	{
		name: 'iCloud and other Messaging Servers of Oracle',
		words: 'following recipient',
		before: 'Recipient address:',
		sample: {
			lines: [
				'Your message cannot be delivered to the following recipients:',
				'',
				'  Recipient address: ada@example.org',
				'  Reason: Unknown user',
			],
			reason: 'Reason: Unknown user',
		},
	},
	{
		name: 'au (EZweb)',
		words: 'following recipient',
		before: 'Recipient:',
		sample: {
			lines: [
				'Could not be delivered to the following recipients.',
				'',
				'Recipient: <ada@example.org>',
				'>>> RCPT TO:<ada@example.org>',
				'<<< 550 Unknown user',
			],
			reason: '550 Unknown user',
		},
	},
	{
		name: 'Servers that write a list',
		words: 'following recipient',
		before: '*',
		sample: {
			lines: [
				'The following recipients did not get it:',
				'',
				' * ada@example.org',
				'   Unknown user',
			],
			reason: 'Unknown user',
		},
	},
	{
		name: 'DragonFly',
		words: 'error delivering your mail to',
		sample: {
			lines: [
				'There was an error delivering your mail to <ada@example.org>.',
				'',
				'mx.example.org did not like it:',
				'550 5.1.1 Unknown',
			],
			reason: '550 5.1.1 Unknown',
		},
	},
	{
		name: 'McAfee',
		words: 'the following address',
		after: '(REASON)',
		sample: {
			lines: [
				'--- The following addresses had delivery problems ---',
				'',
				'<ada@example.org>   (Unknown user)',
			],
			reason: 'Unknown user',
		},
	},
	{
		name: 'GroupWise',
		words: 'undeliverable to the following',
		after: '(REASON)',
		sample: {
			lines: [
				'The message that you sent was undeliverable to the following:',
				'',
				'\tada@example.org (user not found)',
			],
			reason: 'user not found',
		},
	},
	{
		name: 'Mimecast',
		before: '-- ',
		sample: {
			lines: [
				'The message was not delivered to:',
				'',
				'-- ada@example.org',
				'',
				'The mailbox of this person does not exist.',
			],
			reason: 'The mailbox of this person does not exist.',
		},
	},
	{
		name: 'Servers that write the address after the words',
		words: 'following recipient',
		before: ':',
		sample: {
			lines: [
				'Your message did not reach the following recipient: ada@example.org',
				'',
				'There is no such user.',
			],
			reason: 'There is no such user.',
		},
	},
	{
		name: 'Postfix, about an alias',
		after: '(WORDS)',
		sample: {
			lines: [
				'Your message could not be delivered to one or more recipients.',
				'',
				'<ada@example.org> (expanded from <all@example.org>): unknown user',
			],
			reason: 'unknown user',
		},
	},
];
