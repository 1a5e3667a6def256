import {
	NodeOperationError,
	type IHookFunctions,
	type INodeProperties,
	type ITriggerFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { readFlag, readId } from '../api/resources';
import { DEFAULT_EVENT, EVENT_OPTIONS, type EventName } from '../shared/events';
import { nameOfChosen, receiveForIdentity } from '../shared/locators';
import {
	filterFields,
	optionFields,
	readFilters,
	readOptions,
	type Filters,
	type Options,
	type ParameterContext,
} from './options';

/** Kinds of mail that can be kept from starting the workflow. */
export type Ignored = 'autoReplies' | 'bounces' | 'drafts' | 'lists' | 'sent' | 'spam' | 'trash';

/** What an item is: an email with its files, or one file of an email. */
export type Output = 'attachment' | 'email';

/** What the node's parameters say about deliveries. */
export interface DeliveryParameters extends Omit<
	Options,
	'checkEvery' | 'deliveryUrl' | 'onDeactivation'
> {
	event: EventName;
	simplify: boolean;
	downloadAttachments: boolean;
	output: Output;
	ignore: Ignored[];
	filters: Filters;
	/** The one identity that is received for; null for all. */
	identityId: string | null;
}

/** What the node's parameters say about the subscription. */
export interface SubscriptionParameters extends Pick<Options, 'checkEvery' | 'verify'> {
	events: EventName[];
	/** Null for all identities. */
	chosen: ChosenIdentity | null;
}

/** The identity that is chosen under Identity. */
export interface ChosenIdentity {
	id: string;
	/** What it was called in the list that it was chosen from; undefined where it was not. */
	name: string | undefined;
}

type SubscriptionContext = IHookFunctions | ITriggerFunctions;

/** n8n fills in the defaults of what stands here at the top; those of options it does not. */
export function readDeliveryParameters(context: IWebhookFunctions): DeliveryParameters {
	const isOn = (name: string) => readFlag(context.getNodeParameter(name)) ?? true;
	const simplify = isOn('simplify');
	return {
		...readOptions(context),
		event: context.getNodeParameter('event') as EventName,
		simplify,
		// Not shown without Simplify, and what is not shown has no value.
		downloadAttachments: simplify && isOn('downloadAttachments'),
		output: simplify ? (context.getNodeParameter('output', DEFAULT_OUTPUT) as Output) : 'email',
		ignore: context.getNodeParameter('ignore') as Ignored[],
		filters: readFilters(context),
		identityId: isForAll(context) ? null : readIdentityId(context),
	};
}

/** @throws NodeOperationError when an identity is asked for and none is chosen */
export function readSubscriptionParameters(context: SubscriptionContext): SubscriptionParameters {
	const { checkEvery, verify } = readOptions(context);
	return {
		events: [context.getNodeParameter('event') as EventName],
		chosen: isForAll(context) ? null : readChosen(context),
		checkEvery,
		verify,
	};
}

function isForAll(context: ParameterContext): boolean {
	return context.getNodeParameter('receiveFor') === 'all';
}

/** What the action node reads too: whatever the service gave for an ID; of an address, its last part. Empty for none. */
function readIdentityId(context: ParameterContext): string {
	const chosen = context.getNodeParameter('identityId', '', { extractValue: true });
	return readId(chosen) ?? '';
}

function readChosen(context: SubscriptionContext): ChosenIdentity {
	const id = readIdentityId(context);
	if (id !== '') return { id, name: nameOfChosen(context.getNodeParameter('identityId', '')) };
	throw new NodeOperationError(
		context.getNode(),
		'No identity is chosen. Choose one under Identity, or set Receive For to All Identities.',
	);
}

const DEFAULT_OUTPUT: Output = 'email';

const SIMPLIFY = { simplify: [true] };

/** What people see before they listen for a test event. n8n 1 calls publishing "activate". */
export const triggerPanel = {
	header: 'Try it with an email of your own',
	executionsHelp: {
		inactive:
			"<b>While you build the workflow</b>, click 'Execute step', then send an email to one of your identities: it shows up here. n8n has to be reachable for the service at a public HTTPS address. <b>No email at hand</b>, or no such address yet? Add the option 'Use Sample Email' and switch it on.<br><br><b>Once the workflow is published</b> (n8n 1: activated), it runs for every new email. Those runs are in the <a data-key='executions'>executions list</a>.",
		active:
			"<b>While you build the workflow</b>, click 'Execute step', then send an email to one of your identities: it shows up here, and also starts the published workflow.<br><br><b>The published workflow</b> runs for every new email. Those runs are in the <a data-key='executions'>executions list</a>.",
	},
	activationHint: {
		inactive:
			'Click, then send an email to one of your identities, or switch on the option Use Sample Email. Once you have finished the workflow, publish it (n8n 1: activate it), and it runs for every new email.',
		active:
			'Click, then send an email to one of your identities. The published workflow runs for it too, and for every other new email.',
	},
};

/** The parameters of the trigger node, in the order of the editor. */
export const triggerParameters: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: EVENT_OPTIONS,
		default: DEFAULT_EVENT,
		description: 'The event that starts the workflow',
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
			{
				name: 'One Identity',
				value: 'one',
				description: 'Emails to one address or domain',
			},
		],
		default: 'all',
		description: 'The identities whose emails start the workflow',
	},
	receiveForIdentity('The address or domain whose emails start the workflow'),
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
		hint: "On: sender, subject, text, files. Off: the service's raw event.",
	},
	{
		displayName: 'Download Attachments',
		name: 'downloadAttachments',
		type: 'boolean',
		default: true,
		description: "Whether to add the email's attachments and inline images as files",
		displayOptions: { show: SIMPLIFY },
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'One Item per Attachment',
				value: 'attachment',
				description:
					'The email with one file in each item, in the binary field attachment. An email without attachments starts nothing.',
			},
			{
				name: 'One Item per Email',
				value: 'email',
				description: 'The email with all its files in one item',
			},
		],
		default: DEFAULT_OUTPUT,
		description: 'What the items of the output are. An email starts the workflow once either way.',
		displayOptions: { show: SIMPLIFY },
	},
	{
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
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: filterFields,
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: optionFields,
	},
];

/** The switches of the trigger, by the path under which n8n gives what is set. */
export const triggerSwitches = triggerParameters.flatMap((field) => {
	const nested = field.type === 'collection' ? (field.options as INodeProperties[]) : [];
	return [field, ...nested]
		.filter(({ type }) => type === 'boolean')
		.map(({ name, displayName: label }) => {
			const path = nested.length > 0 ? `${field.name}.${name}` : name;
			return { path, label };
		});
});
