import type { INodeProperties } from 'n8n-workflow';

import { fromField, subjectField, toField } from '../sendingFields';

/** n8n finds the node of an answer by this value, and makes a review tool for AI agents of a node type with it. */
export const SEND_AND_WAIT = 'sendAndWait';

const limitFields: INodeProperties[] = [
	{
		displayName: 'Limit Type',
		name: 'limitType',
		type: 'options',
		options: [
			{
				name: 'After Time Interval',
				value: 'afterTimeInterval',
				description: 'Waits for a certain amount of time',
			},
			{
				name: 'At Specified Time',
				value: 'atSpecifiedTime',
				description: 'Waits until the set date and time to continue',
			},
		],
		default: 'afterTimeInterval',
		description: 'When the workflow continues without an answer',
	},
	{
		displayName: 'Amount',
		name: 'resumeAmount',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 2 },
		default: 1,
		description: 'The time to wait',
		displayOptions: { show: { limitType: ['afterTimeInterval'] } },
	},
	{
		displayName: 'Unit',
		name: 'resumeUnit',
		type: 'options',
		options: [
			{ name: 'Minutes', value: 'minutes' },
			{ name: 'Hours', value: 'hours' },
			{ name: 'Days', value: 'days' },
		],
		default: 'hours',
		description: 'The unit of the time to wait',
		displayOptions: { show: { limitType: ['afterTimeInterval'] } },
	},
	{
		displayName: 'Max Date and Time',
		name: 'maxDateAndTime',
		type: 'dateTime',
		default: '',
		description: 'The time at which the workflow continues without an answer',
		displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
	},
];

const approvalFields: INodeProperties[] = [
	{
		displayName: 'Type of Approval',
		name: 'approvalType',
		type: 'options',
		options: [
			{ name: 'Approve and Decline', value: 'double' },
			{ name: 'Approve Only', value: 'single' },
		],
		default: 'double',
		description: 'Which buttons the email and its page have',
	},
	{
		displayName: 'Approve Button Label',
		name: 'approveLabel',
		type: 'string',
		default: 'Approve',
		description: 'The words on the button that approves',
	},
	{
		displayName: 'Decline Button Label',
		name: 'disapproveLabel',
		type: 'string',
		default: 'Decline',
		description: 'The words on the button that declines',
		displayOptions: { show: { approvalType: ['double'] } },
	},
];

const FOR_FREE_TEXT = { show: { '/responseType': ['freeText'] } };

const optionFields: INodeProperties[] = [
	{
		displayName: 'Answer Button Label',
		name: 'messageButtonLabel',
		type: 'string',
		default: 'Answer',
		description: 'The words on the button in the email',
		displayOptions: FOR_FREE_TEXT,
	},
	{
		displayName: 'Answered Page Text',
		name: 'answeredText',
		type: 'string',
		default: 'Thank you for your answer. You can close this page.',
		description: 'The page after the answer',
	},
	{
		displayName: 'Closed Page Text',
		name: 'closedText',
		type: 'string',
		default: 'This question is closed. Nothing was changed.',
		description: 'The page of an earlier question, whose link no longer answers anything',
	},
	{
		displayName: 'Limit Wait Time',
		name: 'limitWaitTime',
		type: 'fixedCollection',
		default: {
			values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' },
		},
		description: 'How long to wait for an answer before the workflow continues without one',
		options: [{ displayName: 'Values', name: 'values', values: limitFields }],
	},
	{
		displayName: 'Submit Button Label',
		name: 'responseFormButtonLabel',
		type: 'string',
		default: 'Submit',
		description: 'The words on the button that sends the answer',
		displayOptions: FOR_FREE_TEXT,
	},
];

/** The fields of Send and Wait for Response. */
export const questionFields: INodeProperties[] = [
	fromField,
	{
		...toField,
		description:
			'The address that is asked. Whoever has the link in the email can answer, also after forwarding it.',
	},
	{ ...subjectField, placeholder: 'e.g. Refund of order 17?' },
	{
		displayName: 'Message',
		name: 'message',
		type: 'string',
		typeOptions: { rows: 5 },
		default: '',
		required: true,
		description: 'The question as plain text, in the email and on the page where it is answered',
	},
	{
		displayName: 'Response Type',
		name: 'responseType',
		type: 'options',
		options: [
			{ name: 'Approval', value: 'approval', description: 'Buttons to approve or decline' },
			{ name: 'Free Text', value: 'freeText', description: 'A page to write an answer on' },
		],
		default: 'approval',
		description: 'How to answer',
	},
	{
		displayName: 'Approval Options',
		name: 'approvalOptions',
		type: 'fixedCollection',
		placeholder: 'Add Option',
		default: {},
		options: [{ displayName: 'Values', name: 'values', values: approvalFields }],
		displayOptions: { show: { responseType: ['approval'] } },
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

/** The words that a person reads where the user writes no others, by the name of their field. */
export const DEFAULT_WORDS: ReadonlyMap<string, string> = new Map(
	[...approvalFields, ...optionFields].map((field) => [field.name, String(field.default)]),
);
