import type { INodeProperties } from 'n8n-workflow';

import { readFlag, readId } from '../../api/resources';
import { DEFAULT_EVENT, EVENT_OPTIONS } from '../../shared/webhooks';
import { entriesIn, senderCheckField, simplifyField } from '../../shared/fields';
import { nameOfChosen, receiveForIdentity } from '../../shared/locators';
import {
	advanced,
	filters,
	options,
	readFilters,
	readOptions,
	type ParameterContext,
} from './collections';

export type IgnoreChoice =
	'autoReplies' | 'bounces' | 'drafts' | 'lists' | 'sent' | 'spam' | 'trash';

const IGNORED_BY_DEFAULT: IgnoreChoice[] = ['drafts', 'sent', 'spam', 'trash'];

export type DeliveryParameters = ReturnType<typeof readDeliveryParameters>;

export type SubscriptionParameters = ReturnType<typeof readSubscriptionParameters>;

/** n8n fills in the defaults of top-level parameters, not those of collections. */
export function readDeliveryParameters(context: ParameterContext) {
	const isOn = (name: string) => readFlag(context.getNodeParameter(name)) ?? true;
	const simplify = isOn('simplify');
	const { senderCheck, ...options } = readOptions(context);
	return {
		...options,
		// Only the simplified output can show the result.
		senderCheck: simplify || senderCheck === 'require' ? senderCheck : 'off',
		event: String(context.getNodeParameter('event')),
		simplify,
		// A parameter that is not shown has no value.
		downloadAttachments: simplify && isOn('downloadAttachments'),
		output: simplify ? readOutput(context.getNodeParameter('output')) : 'email',
		ignore: readIgnored(context.getNodeParameter('ignore')),
		filters: readFilters(context),
		identityId: readIdentityId(context),
	};
}

export function readSubscriptionParameters(context: ParameterContext) {
	const id = readIdentityId(context);
	const name = nameOfChosen(context.getNodeParameter('identityId', ''));
	return {
		events: [String(context.getNodeParameter('event'))],
		chosen: id === null ? null : { id, name },
	};
}

/** An item is an email with its files, or one file of an email. */
const readOutput = (value: unknown): 'attachment' | 'email' =>
	value === 'attachment' ? 'attachment' : 'email';

/** An expression may return a text, or nothing. */
function readIgnored(value: unknown): IgnoreChoice[] {
	const given: unknown = typeof value === 'string' ? entriesIn(value) : value;
	if (!Array.isArray(given)) return IGNORED_BY_DEFAULT;
	return IGNORE_OPTIONS.map((option) => option.value).filter((kind) => given.includes(kind));
}

/** Reads it as the action node does: the ID, or the last part of a URL. Null for all identities, empty if none is selected. */
function readIdentityId(context: ParameterContext): string | null {
	if (context.getNodeParameter('receiveFor') === 'all') return null;
	const chosen = context.getNodeParameter('identityId', '', { extractValue: true });
	return readId(chosen) ?? '';
}

/** Shown in the editor before it listens for a test event. */
export const triggerPanel = {
	header: 'Try it with an email of your own',
	executionsHelp: {
		inactive:
			"<b>While building your workflow</b>, click 'Execute step', then send an email to one of your identities. The service must be able to reach n8n at a public HTTPS address. <b>No public address yet?</b> Turn on 'Use Sample Email'.<br><br><b>Once the workflow is published</b>, it runs for every new email. These runs are in the <a data-key='executions'>executions list</a>.",
		active:
			"<b>While building your workflow</b>, click 'Execute step', then send an email to one of your identities. It also starts the published workflow.<br><br><b>The published workflow</b> runs for every new email. These runs are in the <a data-key='executions'>executions list</a>.",
	},
	activationHint: {
		inactive:
			'Once you have finished building your workflow, publish it to run it for every new email.',
		active: 'The published workflow runs for every new email, including the one you send now.',
	},
};

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

/** In the order of the editor: which emails start the workflow, then what it gets. */
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
	receiveForIdentity('The address or domain whose emails start the workflow'),
	{
		displayName: 'Use Sample Email',
		name: 'useSampleEmail',
		type: 'boolean',
		default: false,
		description:
			"Whether 'Execute step' returns a sample email at once, instead of waiting for one of yours: an invoice with a PDF, a reply or a bounce, the first one that passes the filters. The published workflow runs for real emails only.",
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
	options,
	advanced,
];
