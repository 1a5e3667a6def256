import { readFlag } from '../../api/data/resources';
import {
	attachmentPrefixField,
	dnsResolverField,
	readSenderCheck,
	readTextFormat,
	textFormatField,
	trustedServersField,
} from '../../shared/editor/fields';
import type { Advanced, CommonParameters, Filters, Options, ParameterContext } from './settings';
import {
	added,
	choice,
	collectionField,
	readCollection,
	readTable,
	text,
	type SettingTable,
} from './settingTable';

const SIMPLIFIED = { '/simplify': [true] };

const WITH_SENDER_CHECK = { show: { '/senderCheck': ['add', 'require'] } };

const DEFAULT_CHECK_INTERVAL = 15;

/** Only emails that pass all filters start the workflow. No email passes one without a readable value, see `failedFilters`. */
export const FILTER_FIELDS: SettingTable<Filters> = {
	attachments: text({
		displayName: 'Attachments',
		placeholder: 'e.g. *.pdf, image/*, invoice*',
		description:
			'The email must have at least one attachment with such a name or type. Other attachments are not downloaded. Inline images match only patterns that name images, such as image/* or *.png.',
		hint: 'Comma-separated',
	}),
	from: text({
		displayName: 'From',
		placeholder: 'e.g. ada@example.com, example.org, Ada Lovelace',
		description:
			'Senders to accept: addresses, domains, patterns with *, or parts of a name. Put a name with a comma in quotation marks.',
		hint: 'Comma-separated, not case-sensitive',
	}),
	excludeFrom: text({
		displayName: 'From Excludes',
		placeholder: 'e.g. noreply, example.org',
		description: 'Senders whose emails do not start the workflow, in the same format as From',
	}),
	hasAttachments: {
		field: {
			displayName: 'Has Attachments',
			type: 'boolean',
			default: true,
			description: 'Whether the email must have attachments',
			hint: 'Off: it must have none. Inline images do not count.',
		},
		read: readFlag,
	},
	subject: text({
		displayName: 'Subject Contains',
		placeholder: 'e.g. invoice, receipt',
		description:
			'The subject must contain at least one of these texts. * matches anything. Put a text with a comma in quotation marks.',
		hint: 'Comma-separated, not case-sensitive',
	}),
	excludeSubject: text({
		displayName: 'Subject Excludes',
		placeholder: 'e.g. reminder, newsletter',
		description:
			'Emails with one of these texts in the subject do not start the workflow, in the same format as Subject Contains',
	}),
	to: text({
		displayName: 'To',
		placeholder: 'e.g. support@example.com, example.org',
		description:
			'Recipients to accept, in the same format as From. Checks To, Cc and the address the email was delivered to.',
		hint: 'Comma-separated, not case-sensitive',
	}),
};

const OPTION_FIELDS: SettingTable<Options> = {
	attachmentPrefix: text({
		...attachmentPrefixField,
		displayOptions: {
			show: { '/simplify': [true], '/downloadAttachments': [true], '/output': ['email'] },
		},
	}),
	ignoreDuplicates: choice({
		displayName: 'Ignore Duplicates',
		options: [
			{
				name: 'Off',
				value: 'off',
				description: 'Every delivery starts the workflow, even a repeated one',
			},
			{
				name: 'Same Email',
				value: 'sameEmail',
				description:
					'Skip an email that is delivered again. An email to several of your addresses starts the workflow once for each address.',
			},
			{
				name: 'Same Email to Any Recipient',
				value: 'sameMessageId',
				description:
					'Also start the workflow only once for an email to several of your addresses. Compares the Message-ID, which the sender chooses.',
			},
		],
		default: 'sameEmail',
		description: 'Which emails to skip. Compares an email with the last 2,000 received.',
	}),
	includeHeaders: added({
		displayName: 'Include Headers',
		description: 'Whether to add all headers of the email to the output',
		displayOptions: { show: SIMPLIFIED },
	}),
	includeRawEmail: added({
		displayName: 'Include Raw Email',
		description:
			'Whether to add the raw email as an .eml file in the binary field rawEmail. With Simplify off, data.rawEmail moves there.',
	}),
	removeQuotedText: added({
		displayName: 'Remove Quoted Text',
		description: 'Whether to remove quoted emails and the signature from replies',
		hint: 'An email that is not a reply keeps its signature',
		displayOptions: { show: SIMPLIFIED },
	}),
	textFormat: {
		field: { ...textFormatField, displayOptions: { show: SIMPLIFIED } },
		read: readTextFormat,
	},
};

const ADVANCED_FIELDS: SettingTable<Advanced> = {
	checkEvery: {
		field: {
			displayName: 'Check Interval',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 0 },
			default: DEFAULT_CHECK_INTERVAL,
			description:
				'How often to check the webhook in the service and repair it, in minutes. With 0, only when n8n starts.',
		},
		read(given) {
			const minutes = Number(given ?? DEFAULT_CHECK_INTERVAL);
			return Number.isFinite(minutes) ? Math.max(0, minutes) : DEFAULT_CHECK_INTERVAL;
		},
	},
	deliveryUrl: text({
		displayName: 'Delivery URL',
		placeholder: 'e.g. https://gateway.example.com/ingest/emails',
		description:
			'Public URL of a webhook gateway that receives the emails and forwards them to n8n, so that none is lost while n8n is down. It must forward to the production URL, including the query. Use a different URL for each trigger.',
		hint: 'Forward to the production URL above. The service needs a webhook: publishing creates it, or says which one to create.',
	}),
	dnsResolver: text({ ...dnsResolverField, displayOptions: WITH_SENDER_CHECK }),
	onDeactivation: choice({
		displayName: 'On Unpublish',
		options: [
			{
				name: 'Delete Webhook',
				value: 'delete',
				description: 'Remove it from the service. Publishing creates a new one.',
			},
			{
				name: 'Pause Webhook',
				value: 'pause',
				description: 'Keep it in the service. Publishing resumes it.',
			},
		],
		default: 'pause',
		description: 'What to do with the webhook in the service when the workflow is unpublished',
	}),
	trustedServers: text({ ...trustedServersField, displayOptions: WITH_SENDER_CHECK }),
	verify: added({
		displayName: 'Verify With the API',
		description:
			'Whether to fetch each email from the service by its ID and ignore the content of the delivery',
		hint: 'Leave off unless others know the webhook URL. If the service stores no raw emails, there are no attachments.',
	}),
};

export const filters = collectionField(
	{ name: 'filters', displayName: 'Filters', placeholder: 'Add Filter' },
	FILTER_FIELDS,
);

export const options = collectionField(
	{ name: 'options', displayName: 'Options', placeholder: 'Add Option' },
	OPTION_FIELDS,
);

export const advanced = collectionField(
	{ name: 'advanced', displayName: 'Advanced', placeholder: 'Add Setting' },
	ADVANCED_FIELDS,
);

/** An expression may give a filter no value: it was added all the same. */
export function readFilters(context: ParameterContext): Filters {
	const given = readCollection(context, 'filters');
	const values = Object.entries(readTable(FILTER_FIELDS, given));
	return Object.fromEntries(values.filter(([name]) => name in given));
}

export function readCommonParameters(context: ParameterContext): CommonParameters {
	const senderCheck = context.getNodeParameter('senderCheck', 'off');
	const useSampleEmail = context.getNodeParameter('useSampleEmail', false);
	return {
		...readTable(OPTION_FIELDS, readCollection(context, 'options')),
		...readTable(ADVANCED_FIELDS, readCollection(context, 'advanced')),
		senderCheck: readSenderCheck(senderCheck),
		useSampleEmail: readFlag(useSampleEmail) ?? false,
	};
}
