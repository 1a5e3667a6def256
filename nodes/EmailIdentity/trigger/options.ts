import type { INodeProperties } from 'n8n-workflow';

import { readFlag } from '../api/resources';
import { dnsResolverField } from '../shared/dnsResolver';
import { checkSenderField, trustedServersField } from '../shared/senderFields';

/** The filters of the trigger, as they are set; one that is not lets everything through. */
export interface Filters {
	/** Addresses, domains, patterns and parts of names, separated by commas, semicolons or lines. */
	from?: string;
	excludeFrom?: string;
	to?: string;
	/** Texts of which one has to be there, and with a `-` before them those that must not. */
	subject?: string;
	hasAttachments?: boolean;
	/** Names, types and patterns of files. */
	attachments?: string;
	/** Only emails of which it is proved that they come from the domain in From. */
	onlyAuthenticated?: boolean;
}

/** What switching the workflow off does to the subscription. */
export type Retirement = 'pause' | 'delete';

/**
 * What counts as the same email, which starts the workflow once: nothing, what has the same ID or the same bytes, or
 * also what has the same Message-ID.
 */
export type Sameness = 'off' | 'sameEmail' | 'sameMessageId';

export interface Options {
	/** Start of the names of the attachments' binary fields. */
	attachmentPrefix: string;
	/** Minutes between two checks while the workflow is active; 0 for none. */
	checkEvery: number;
	/** The address of a gateway that hands deliveries on to n8n; empty for n8n's own. */
	deliveryUrl: string;
	/** Find out whether the email comes from the domain in From, and put it out. */
	checkSender: boolean;
	/** Addresses of DNS over HTTPS; empty for the usual ones. */
	dnsResolver: string;
	ignoreDuplicates: Sameness;
	includeHeaders: boolean;
	includeRawEmail: boolean;
	onDeactivation: Retirement;
	/** Leave of an answer what is new in it. */
	removeQuotedText: boolean;
	/** Names of mail servers whose word on the sender is believed. */
	trustedServers: string;
	/** Whoever listens for a test event gets a sample at once. */
	useSampleEmail: boolean;
	verify: boolean;
}

// What an option means that was not added. n8n's linter wants the defaults of booleans in the fields themselves.
const ATTACHMENT_PREFIX = 'attachment_';
const CHECK_EVERY = 15;
const IGNORE_DUPLICATES = 'sameEmail';
const ON_DEACTIVATION = 'pause';

/** What n8n gives the trigger's parameters in: a hook, trigger or webhook context. */
export interface ParameterContext {
	getNodeParameter(name: string, fallback?: unknown, options?: { extractValue?: boolean }): unknown;
}

/**
 * The filters that were added. One that an expression makes neither yes nor no, which only happens to a workflow that was
 * published before, holds no email back; what has to be proved stays so.
 */
export function readFilters(context: ParameterContext): Filters {
	const filters = { ...(context.getNodeParameter('filters', {}) as Filters) };
	if ('hasAttachments' in filters) {
		filters.hasAttachments = readFlag(filters.hasAttachments) ?? undefined;
	}
	if ('onlyAuthenticated' in filters) {
		filters.onlyAuthenticated = readFlag(filters.onlyAuthenticated) ?? true;
	}
	return filters;
}

/** What was not added, and a switch that an expression makes neither yes nor no, means what it means at first. */
export function readOptions(context: ParameterContext): Options {
	const added = context.getNodeParameter('options', {}) as Partial<Options>;
	return {
		attachmentPrefix: added.attachmentPrefix ?? ATTACHMENT_PREFIX,
		checkEvery: Math.max(0, added.checkEvery ?? CHECK_EVERY),
		// An expression may give anything.
		deliveryUrl: String(added.deliveryUrl ?? '').trim(),
		checkSender: readFlag(added.checkSender) ?? false,
		dnsResolver: added.dnsResolver ?? '',
		ignoreDuplicates: added.ignoreDuplicates ?? IGNORE_DUPLICATES,
		includeHeaders: readFlag(added.includeHeaders) ?? false,
		includeRawEmail: readFlag(added.includeRawEmail) ?? false,
		onDeactivation: added.onDeactivation ?? ON_DEACTIVATION,
		removeQuotedText: readFlag(added.removeQuotedText) ?? false,
		trustedServers: added.trustedServers ?? '',
		useSampleEmail: readFlag(added.useSampleEmail) ?? false,
		verify: readFlag(added.verify) ?? false,
	};
}

/** Only emails that pass all of these start the workflow; the others are answered and forgotten. */
export const filterFields: INodeProperties[] = [
	{
		displayName: 'Attachments',
		name: 'attachments',
		type: 'string',
		default: '',
		placeholder: 'e.g. *.pdf, image/*, invoice*',
		description:
			'Only emails with such an attachment, by name or type; other attachments are not downloaded',
		hint: 'Separate several with commas. A PDF counts as one by its name or its type. Images within the text count only where their kind is named, such as image/* or *.png.',
	},
	{
		displayName: 'Exclude From',
		name: 'excludeFrom',
		type: 'string',
		default: '',
		placeholder: 'e.g. noreply, example.org',
		description:
			'No emails from these senders: addresses, domains, patterns with *, parts of a name',
		hint: 'Written as in From',
	},
	{
		displayName: 'From',
		name: 'from',
		type: 'string',
		default: '',
		placeholder: 'e.g. ada@example.com, example.org, Ada Lovelace',
		description:
			'Only emails from these senders: addresses, domains, patterns with *, parts of a name. Anybody can write any name: where it matters, use addresses.',
		hint: 'Separate several with commas, semicolons or lines. A name with a comma goes into quotation marks. Upper and lower case are the same.',
	},
	{
		displayName: 'Has Attachments',
		name: 'hasAttachments',
		type: 'boolean',
		default: true,
		description:
			'Whether the email has to bring attachments; turned off, only emails without any start the workflow',
		hint: 'Images within the text are not counted.',
	},
	{
		displayName: 'Only Authenticated Senders',
		name: 'onlyAuthenticated',
		type: 'boolean',
		default: true,
		description:
			'Whether the email has to prove that it comes from the domain in its From: by a valid signature of that domain (DKIM). The filter From then compares addresses and domains only, not names.',
		hint: 'The DNS is asked for the keys of senders, see the option DNS Resolver. With Verify With the API, only where the service keeps raw emails.',
	},
	{
		displayName: 'Subject Contains',
		name: 'subject',
		type: 'string',
		default: '',
		placeholder: 'e.g. invoice, receipt, -reminder',
		description:
			'Only emails with one of these texts in their subject, and without those that have a - before them',
		hint: 'Separate several with commas. A text with a comma goes into quotation marks. Upper and lower case are the same.',
	},
	{
		displayName: 'To',
		name: 'to',
		type: 'string',
		default: '',
		placeholder: 'e.g. support@example.com, example.org',
		description:
			'Only emails to these recipients: addresses, domains, patterns with *, parts of a name',
		hint: 'To, Cc and the address that the email was delivered to are looked at, so that Bcc counts where the service or its mail server names it. Separate several with commas, semicolons or lines.',
	},
];

export const optionFields: INodeProperties[] = [
	{
		displayName: 'Attachment Prefix',
		name: 'attachmentPrefix',
		type: 'string',
		default: ATTACHMENT_PREFIX,
		description:
			'Start of the names of the binary fields with the attachments: attachment_ gives attachment_0, attachment_1 and so on',
		displayOptions: {
			show: { '/simplify': [true], '/downloadAttachments': [true], '/output': ['email'] },
		},
	},
	/* @__PURE__ */ checkSenderField({ displayOptions: { show: { '/simplify': [true] } } }),
	{
		displayName: 'Check Subscription Every (Minutes)',
		name: 'checkEvery',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: CHECK_EVERY,
		description:
			'Time between two looks at the subscription while the workflow is published. One that was changed, paused or deleted in the service is mended. 0 switches it off.',
	},
	{
		displayName: 'Delivery URL',
		name: 'deliveryUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://gateway.example.com/ingest/emails',
		description:
			'Public address of a webhook gateway that keeps emails while n8n is down and hands them on. The service delivers there, in place of n8n.',
		hint: "Let the gateway hand on to the production URL that is shown in this panel, with the query of each delivery. Each trigger needs an address of its own there. Test events still come to n8n's own test URL.",
	},
	// n8n cannot show a field of one collection by what is set in another one (Only Authenticated Senders).
	/* @__PURE__ */ dnsResolverField({ hint: 'For Check Sender and Only Authenticated Senders.' }),
	{
		displayName: 'Ignore Duplicates',
		name: 'ignoreDuplicates',
		type: 'options',
		options: [
			{
				name: 'Off',
				value: 'off',
				description: 'Every delivery starts the workflow, repeats too',
			},
			{
				name: 'Same Email',
				value: 'sameEmail',
				description:
					'An email that is delivered again does not start the workflow again. One that was sent to several of your addresses starts it for each of them.',
			},
			{
				name: 'Same Email to Any Recipient',
				value: 'sameMessageId',
				description:
					'Also an email that was sent to several of your addresses starts the workflow once. It is known by its Message-ID, which its sender chooses.',
			},
		],
		default: IGNORE_DUPLICATES,
		description:
			'Which emails do not start the workflow because one of the last 2,000 was the same',
	},
	{
		displayName: 'Include Headers',
		name: 'includeHeaders',
		type: 'boolean',
		default: false,
		description: "Whether to add all of the email's headers to the output",
		displayOptions: { show: { '/simplify': [true] } },
	},
	{
		displayName: 'Include Raw Email',
		name: 'includeRawEmail',
		type: 'boolean',
		default: false,
		description: 'Whether to add the raw email as an .eml file in the binary field rawEmail',
		hint: 'With Simplify off, the file takes the place of the text in data.rawEmail.',
	},
	{
		displayName: 'When Unpublished',
		name: 'onDeactivation',
		type: 'options',
		options: [
			{
				name: 'Delete Subscription',
				value: 'delete',
				description: 'Remove it from the service; publishing again makes a new one',
			},
			{
				name: 'Pause Subscription',
				value: 'pause',
				description: 'Keep it in the service; publishing again resumes it',
			},
		],
		default: ON_DEACTIVATION,
		description:
			'What happens to the subscription when the workflow is unpublished (n8n 1: deactivated)',
	},
	{
		displayName: 'Remove Quoted Text',
		name: 'removeQuotedText',
		type: 'boolean',
		default: false,
		description:
			'Whether to leave of a reply only its new text, without the earlier emails that it quotes and without its signature',
		hint: 'In doubt text is kept: answers between quoted lines, forwarded emails. Other emails stay as they are.',
		displayOptions: { show: { '/simplify': [true] } },
	},
	/* @__PURE__ */ trustedServersField({}),
	{
		displayName: 'Use Sample Email',
		name: 'useSampleEmail',
		type: 'boolean',
		default: false,
		description:
			'Whether a click on Execute step gives a sample email with a PDF at once, instead of waiting for one of yours',
		hint: 'For building a workflow without a mail, or before n8n has a public address. Receive For, Ignore and Filters do not hold it back. The published workflow runs for real emails alone.',
	},
	{
		displayName: 'Verify With the API',
		name: 'verify',
		type: 'boolean',
		default: false,
		description:
			"Whether to fetch each delivered message by its ID with the API key, refuse what the service does not know, and use the service's copy",
		hint: 'One request more for each email. Where the service keeps no raw email, there are no attachments to download.',
	},
];
