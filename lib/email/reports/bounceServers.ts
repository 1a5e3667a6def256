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
	 * Text behind an address on its line; default: a colon, or nothing, and the reason. `ADDRESS` is the address again,
	 * `REASON` the reason, `WORDS` anything that says nothing about it.
	 */
	behind?: string;
	/** A text with `ada@example.org`, for the tests, and what it says about her. */
	sample: [text: string, reason: string];
}

/**
 * All of these are tried in this order, each part by itself, because servers of the same family write alike: first the words
 * in the text, then what stands before and behind the addresses below them.
 */
export const BOUNCE_SERVERS: readonly BounceServer[] = [
	{
		name: 'Exim, an email that is still tried',
		words: 'to which the message has not yet been delivered',
		kind: 'delay',
		sample: [
			'The address to which the message has not yet been delivered is:\n\n  ada@example.org\n    Delay reason: 451 4.7.1 Later',
			'451 4.7.1 Later',
		],
	},
	{
		name: 'sendmail, an email that is still tried',
		words: 'transient non-fatal errors',
		kind: 'delay',
		sample: [
			'--- The following addresses had transient non-fatal errors ---\n<ada@example.org>\n  (reason: 451 4.7.1 Later)',
			'451 4.7.1 Later',
		],
	},
	{
		name: 'Gmail until 2016, an email that is still tried',
		words: 'recipient has been delayed',
		kind: 'delay',
		sample: [
			'Delivery to the following recipient has been delayed:\n\n     ada@example.org\n\nMessage will be retried',
			'Message will be retried',
		],
	},
	{
		name: 'OpenSMTPD, an email that is still tried',
		words: 'delayed for more than',
		kind: 'delay',
		sample: [
			'A message is delayed for more than 4 hours for the following\nlist of recipients:\n\nada@example.org: Network error',
			'Network error',
		],
	},
	{
		name: 'qmail, Exim, sendmail, Yahoo, Mail.ru',
		words: 'the following address',
		sample: [
			"I wasn't able to deliver your message to the following addresses.\n\n<ada@example.org>:\nUnknown user",
			'Unknown user',
		],
	},
	{
		name: 'GMX, 1&1',
		words: 'the following address',
		sample: [
			'A message could not be delivered to the following address\nfailed:\n\n"ada@example.org":\nSMTP error: 550 Unknown user',
			'550 Unknown user',
		],
	},
	{
		name: 'Active! hunter',
		words: 'the following address',
		before: '>',
		behind: '<ADDRESS>',
		sample: [
			'This is an automatic answer about the following addresses.\n\n>>> ada@example.org <ada@example.org>\n\n550 Unknown user',
			'550 Unknown user',
		],
	},
	{
		name: 'Gmail until 2016, Courier, Amazon SES',
		words: 'following recipient',
		sample: [
			'Delivery to the following recipient failed permanently:\n\n     ada@example.org\n\nThe recipient server did not accept it: 550 5.1.1 Unknown',
			'550 5.1.1 Unknown',
		],
	},
	{
		name: 'Exchange 2003',
		words: 'following recipient',
		behind: 'on WORDS',
		sample: [
			'The following recipient(s) could not be reached:\n\n  ada@example.org on 11/21/2026 9:00 AM\n    Unknown user',
			'Unknown user',
		],
	},
	{
		name: 'Exchange 5.5',
		words: 'following recipient',
		behind: '(ADDRESS)',
		sample: [
			'The following recipients could not be reached:\n\n  ada@example.org (ada@example.org)\n    Unknown user',
			'Unknown user',
		],
	},
	{
		name: 'iCloud and other Messaging Servers of Oracle',
		words: 'following recipient',
		before: 'Recipient address:',
		sample: [
			'Your message cannot be delivered to the following recipients:\n\n  Recipient address: ada@example.org\n  Reason: Unknown user',
			'Reason: Unknown user',
		],
	},
	{
		name: 'au (EZweb)',
		words: 'following recipient',
		before: 'Recipient:',
		sample: [
			'Could not be delivered to the following recipients.\n\nRecipient: <ada@example.org>\n>>> RCPT TO:<ada@example.org>\n<<< 550 Unknown user',
			'550 Unknown user',
		],
	},
	{
		name: 'Servers that write a list',
		words: 'following recipient',
		before: '*',
		sample: [
			'The following recipients did not get it:\n\n * ada@example.org\n   Unknown user',
			'Unknown user',
		],
	},
	{
		name: 'DragonFly',
		words: 'error delivering your mail to',
		sample: [
			'There was an error delivering your mail to <ada@example.org>.\n\nmx.example.org did not like it:\n550 5.1.1 Unknown',
			'550 5.1.1 Unknown',
		],
	},
	{
		name: 'McAfee',
		words: 'the following address',
		behind: '(REASON)',
		sample: [
			'--- The following addresses had delivery problems ---\n\n<ada@example.org>   (Unknown user)',
			'Unknown user',
		],
	},
	{
		name: 'GroupWise',
		words: 'undeliverable to the following',
		behind: '(REASON)',
		sample: [
			'The message that you sent was undeliverable to the following:\n\n\tada@example.org (user not found)',
			'user not found',
		],
	},
	{
		name: 'Mimecast',
		before: '-- ',
		sample: [
			'The message was not delivered to:\n\n-- ada@example.org\n\nThe mailbox of this person does not exist.',
			'The mailbox of this person does not exist.',
		],
	},
	{
		name: 'Servers that write the address behind the words',
		words: 'following recipient',
		before: ':',
		sample: [
			'Your message did not reach the following recipient: ada@example.org\n\nThere is no such user.',
			'There is no such user.',
		],
	},
	{
		name: 'Postfix, about an alias',
		behind: '(WORDS)',
		sample: [
			'Your message could not be delivered to one or more recipients.\n\n<ada@example.org> (expanded from <all@example.org>): unknown user',
			'unknown user',
		],
	},
];
