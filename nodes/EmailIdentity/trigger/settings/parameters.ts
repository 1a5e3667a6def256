import type { INodeProperties } from 'n8n-workflow';

import { readFlag, readId } from '../../api/data/resources';
import { entriesIn, senderCheckField, simplifyField } from '../../shared/editor/fields';
import { nameOfChosen, triggerIdentityLocator } from '../../shared/editor/locators';
import { DEFAULT_EVENT, EVENT_OPTIONS } from '../../shared/webhooks';
import { advanced, filters, options, readCommonParameters, readFilters } from './collections';
import type {
	DeliveryParameters,
	IgnoreChoice,
	ParameterContext,
	SubscriptionParameters,
} from './settings';

const IGNORED_BY_DEFAULT: IgnoreChoice[] = ['drafts', 'sent', 'spam', 'trash'];

const IGNORE_OPTIONS: Array<{ name: string; value: IgnoreChoice; description: string }> = [
	{
		name: 'Auto-Replies',
		value: 'autoReplies',
		description: 'Out-of-office and other automatic replies, emoji reactions',
	},
	{
		name: 'Bounces and Reports',
		value: 'bounces',
		description: 'Delivery failures, read receipts, spam and DMARC reports',
	},
	{ name: 'Drafts', value: 'drafts', description: 'Unsent emails' },
	{
		name: 'Mailing Lists and Newsletters',
		value: 'lists',
		description: 'Emails sent to many recipients, including discussion groups',
	},
	{
		name: 'Sent',
		value: 'sent',
		description: 'Emails in your sent folder. An email to yourself is still received.',
	},
	{
		name: 'Spam',
		value: 'spam',
		description: 'Emails in the junk folder or marked as spam by your mail server',
	},
	{ name: 'Trash', value: 'trash', description: 'Deleted emails' },
];

/** In the order of the editor: what starts the workflow, what it gets, then what is rarely changed. */
export const triggerParameters: INodeProperties[] = [
	{
		// The node panel has an entry for each option, and the subtitle their names.
		displayName: 'Trigger On',
		name: 'event',
		type: 'hidden',
		options: EVENT_OPTIONS,
		default: DEFAULT_EVENT,
	},
	{
		displayName: 'Receive For',
		name: 'receiveFor',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'All Identities',
				value: 'all',
				description: 'Emails to any address or domain that the API key can access',
			},
			{ name: 'One Identity', value: 'one', description: 'Emails to one address or domain' },
		],
		default: 'all',
		description:
			'The identities whose emails start the workflow: addresses or domains that the service receives email for',
	},
	triggerIdentityLocator,
	{
		displayName: 'Use Sample Email',
		name: 'useSampleEmail',
		type: 'boolean',
		default: false,
		description:
			"Whether 'Execute step' returns a sample email at once, instead of waiting for one of yours: a question, an invoice with a PDF, a reply or a bounce, the first one that passes the filters. The published workflow runs for real emails only.",
	},
	filters,
	simplifyField,
	{
		displayName:
			'No effect with Simplify off: Output, Download Attachments, Sender Check: Add Result, and the option Attachment Prefix',
		name: 'notSimplified',
		type: 'notice',
		default: '',
		displayOptions: { show: { simplify: [false] } },
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'One Item per Email',
				value: 'email',
				description: 'The email with all its files in one item',
			},
			{
				name: 'One Item per Attachment',
				value: 'attachment',
				description:
					'The email with one file in each item, in the binary field data. An email without attachments does not start the workflow.',
			},
		],
		default: 'email',
		description: 'How many items to return for an email. The workflow runs once either way.',
		builderHint: { propertyHint: 'Choose attachment where the next node takes one file: in data' },
		displayOptions: { show: { simplify: [true] } },
	},
	{
		displayName: 'Download Attachments',
		name: 'downloadAttachments',
		type: 'boolean',
		default: true,
		description: 'Whether to add attachments and inline images as files',
		displayOptions: { show: { simplify: [true] } },
	},
	senderCheckField(['off', 'add', 'require']),
	{
		displayName: 'Ignore',
		name: 'ignore',
		type: 'multiOptions',
		options: IGNORE_OPTIONS,
		default: [...IGNORED_BY_DEFAULT],
		description: 'Emails that do not start the workflow',
	},
	options,
	advanced,
];

/** n8n fills in the defaults of top-level parameters, not those of collections. */
export function readDeliveryParameters(context: ParameterContext): DeliveryParameters {
	const common = readCommonParameters(context);
	const settings: DeliveryParameters = {
		...common,
		event: String(context.getNodeParameter('event')),
		identityId: readIdentityId(context),
		filters: readFilters(context),
		ignore: readIgnored(context.getNodeParameter('ignore')),
		simplify: isOn(context, 'simplify'),
		downloadAttachments: false,
		output: 'email',
	};
	if (settings.simplify) {
		settings.downloadAttachments = isOn(context, 'downloadAttachments');
		settings.output = readOutput(context.getNodeParameter('output'));
	} else if (settings.senderCheck === 'add') {
		// Only the simplified output can show the result.
		settings.senderCheck = 'off';
	}
	return settings;
}

export function readSubscriptionParameters(context: ParameterContext): SubscriptionParameters {
	const events = [String(context.getNodeParameter('event'))];
	const id = readIdentityId(context);
	if (id === null) return { events, chosen: null };
	const name = nameOfChosen(context.getNodeParameter('identityId', ''));
	return { events, chosen: { id, name } };
}

/** Reads a switch that is on by default. A parameter that is not shown has no value. */
function isOn(context: ParameterContext, name: 'downloadAttachments' | 'simplify'): boolean {
	const value = context.getNodeParameter(name);
	return readFlag(value) ?? true;
}

function readOutput(value: unknown): DeliveryParameters['output'] {
	return value === 'attachment' ? 'attachment' : 'email';
}

/** An expression may return a text, or nothing. */
function readIgnored(value: unknown): IgnoreChoice[] {
	const given: unknown = typeof value === 'string' ? entriesIn(value) : value;
	if (!Array.isArray(given)) return IGNORED_BY_DEFAULT;
	const choices = IGNORE_OPTIONS.map((option) => option.value);
	return choices.filter((choice) => given.includes(choice));
}

/** The ID, or the last part of a URL, as in the action node. */
function readIdentityId(context: ParameterContext): string | null {
	if (context.getNodeParameter('receiveFor') === 'all') return null;
	const chosen = context.getNodeParameter('identityId', '', { extractValue: true });
	return readId(chosen) ?? '';
}
