import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_EVENT, EVENT_OPTIONS } from '../shared/events';
import { receiveForIdentity } from '../shared/locators';
import { filterFields, optionFields } from './options';

const SIMPLIFY = { simplify: [true] };

/** What people see before they listen for a test event. n8n 1 calls publishing "activate". */
export const triggerPanel = {
	header: 'Try it with an email of your own',
	executionsHelp: {
		inactive:
			"<b>While you build the workflow</b>, click 'Execute step', then send an email to one of your identities: it shows up here. n8n has to be reachable for the service at a public HTTPS address.<br><br><b>Once the workflow is published</b> (n8n 1: activated), it runs for every new email. Those runs are in the <a data-key='executions'>executions list</a>.",
		active:
			"<b>While you build the workflow</b>, click 'Execute step', then send an email to one of your identities: it shows up here, and also starts the published workflow.<br><br><b>The published workflow</b> runs for every new email. Those runs are in the <a data-key='executions'>executions list</a>.",
	},
	activationHint: {
		inactive:
			'Click, then send an email to one of your identities. Once you have finished the workflow, publish it (n8n 1: activate it), and it runs for every new email.',
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
