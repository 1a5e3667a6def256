import type { INodeProperties } from 'n8n-workflow';

import { identityLocator } from '../resources/fields/identityLocator';
import { EVENT_OPTIONS } from '../resources/webhook/events';
import { filterFields, optionFields } from './optionalFields';

const SIMPLIFY = { simplify: [true] };

/** What people see while n8n waits for a test event, and before. */
export const triggerPanel = {
	header: '',
	executionsHelp: {
		inactive:
			"While you build the workflow, click 'Execute step' and then send an email to one of your identities: it shows up here. Test events do not count as seen, and the workflow need not be active for them. Once it is active, it runs for every new email.",
		active:
			"While you build the workflow, click 'Execute step' and then send an email to one of your identities: it shows up here, and also starts the active workflow. Runs of the active workflow are in the executions list.",
	},
	activationHint:
		'Once you have finished the workflow, publish it (before n8n 2: activate it). That makes the subscription; it is paused while the workflow is off.',
};

/** The parameters of the trigger node, in the order of the editor. */
export const triggerFields: INodeProperties[] = [
	{
		displayName:
			"To try it out, click 'Execute step', then send an email to one of your identities. n8n has to be reachable for the service at a public HTTPS address.",
		name: 'testNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: EVENT_OPTIONS,
		default: 'message.received',
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
	{
		...identityLocator,
		description: 'The address or domain whose emails start the workflow',
		displayOptions: { show: { receiveFor: ['one'] } },
	},
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
		hint: 'On: the fields of the email, the same for every service. Off: the event as it was delivered, with the raw email as text.',
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
