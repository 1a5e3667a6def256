import type { INodeProperties } from 'n8n-workflow';

import { readFlag } from '../api/resources';
import { dnsResolverField } from '../shared/dnsResolver';
import { checkSenderField, trustedServersField } from '../shared/senderFields';

/** What switching the workflow off does to the subscription. */
export type Retirement = 'pause' | 'delete';

/**
 * Which emails count as the same one, which starts the workflow once: none, those with the same ID or the same bytes, or
 * also those with the same Message-ID.
 */
export type Sameness = 'off' | 'sameEmail' | 'sameMessageId';

type Field = Omit<INodeProperties, 'name'>;

/** An entry of a collection: its field in the editor, and its value. */
interface Setting<Value> {
	field: Field;
	/** @param given what the user set, or an expression gave; undefined where the setting was not added */
	read(given: unknown): Value;
}

type Settings = Record<string, Setting<unknown>>;

type ValuesOf<Table extends Settings> = { [Name in keyof Table]: ReturnType<Table[Name]['read']> };

const text = (field: Field): Setting<string> => ({
	field,
	read: (given) => String(given ?? field.default),
});

const trimmed = (field: Field): Setting<string> => ({
	field,
	read: (given) => String(given ?? field.default).trim(),
});

const minutes = (field: Field): Setting<number> => ({
	field,
	read(given) {
		const value = Number(given ?? field.default);
		return Number.isFinite(value) ? Math.max(0, value) : Number(field.default);
	},
});

/** An expression may give anything: what is neither yes nor no is the default, and is refused at publishing. */
const onOff = (field: Field): Setting<boolean> => ({
	field,
	read: (given) => readFlag(given) ?? field.default === true,
});

const choice = <Value extends string>(field: Field): Setting<Value> => ({
	field,
	read: (given) => (given ?? field.default) as Value,
});

/** Addresses, texts or names as they are written; one that is not set lets everything through. */
const patterns = (field: Field): Setting<string | undefined> => ({
	field,
	read: (given) => given as string | undefined,
});

/** @param inDoubt what the filter means where an expression gives neither yes nor no */
const flag = (field: Field, inDoubt: boolean | undefined): Setting<boolean | undefined> => ({
	field,
	read: (given) => readFlag(given) ?? inDoubt,
});

/** Only emails that pass all of these start the workflow. In doubt no email is lost, and a proof stays required. */
const FILTERS = {
	attachments: patterns({
		displayName: 'Attachments',
		type: 'string',
		default: '',
		placeholder: 'e.g. *.pdf, image/*, invoice*',
		description:
			'Only emails with such an attachment, by name or type; other attachments are not downloaded',
		hint: 'Separate several with commas. A PDF counts as one by its name or its type. Images within the text count only where their kind is named, such as image/* or *.png.',
	}),
	excludeFrom: patterns({
		displayName: 'Exclude From',
		type: 'string',
		default: '',
		placeholder: 'e.g. noreply, example.org',
		description:
			'No emails from these senders: addresses, domains, patterns with *, parts of a name',
		hint: 'Written as in From',
	}),
	from: patterns({
		displayName: 'From',
		type: 'string',
		default: '',
		placeholder: 'e.g. ada@example.com, example.org, Ada Lovelace',
		description:
			'Only emails from these senders: addresses, domains, patterns with *, parts of a name. Anybody can write any name: where it matters, use addresses.',
		hint: 'Separate several with commas, semicolons or lines. A name with a comma goes into quotation marks. Upper and lower case are the same.',
	}),
	hasAttachments: flag(
		{
			displayName: 'Has Attachments',
			type: 'boolean',
			default: true,
			description:
				'Whether the email has to bring attachments; turned off, only emails without any start the workflow',
			hint: 'Images within the text are not counted.',
		},
		undefined,
	),
	onlyAuthenticated: flag(
		{
			displayName: 'Only Authenticated Senders',
			type: 'boolean',
			default: true,
			description:
				'Whether the email has to prove that it comes from the domain in its From: by a valid signature of that domain (DKIM). The filter From then compares addresses and domains only, not names.',
			hint: 'The DNS is asked for the keys of senders, see the option DNS Resolver. With Verify With the API, only where the service keeps raw emails.',
		},
		true,
	),
	subject: patterns({
		displayName: 'Subject Contains',
		type: 'string',
		default: '',
		placeholder: 'e.g. invoice, receipt, -reminder',
		description:
			'Only emails with one of these texts in their subject, and without those that have a - before them',
		hint: 'Separate several with commas. A text with a comma goes into quotation marks. Upper and lower case are the same.',
	}),
	to: patterns({
		displayName: 'To',
		type: 'string',
		default: '',
		placeholder: 'e.g. support@example.com, example.org',
		description:
			'Only emails to these recipients: addresses, domains, patterns with *, parts of a name',
		hint: 'To, Cc and the address that the email was delivered to are looked at, so that Bcc counts where the service or its mail server names it. Separate several with commas, semicolons or lines.',
	}),
};

const OPTIONS = {
	attachmentPrefix: text({
		displayName: 'Attachment Prefix',
		type: 'string',
		default: 'attachment_',
		description:
			'Start of the names of the binary fields with the attachments: attachment_ gives attachment_0, attachment_1 and so on',
		displayOptions: {
			show: { '/simplify': [true], '/downloadAttachments': [true], '/output': ['email'] },
		},
	}),
	checkSender: onOff(checkSenderField({ displayOptions: { show: { '/simplify': [true] } } })),
	checkEvery: minutes({
		displayName: 'Check Subscription Every (Minutes)',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 15,
		description:
			'Time between two looks at the subscription while the workflow is published. One that was changed, paused or deleted in the service is mended. 0 switches it off.',
	}),
	deliveryUrl: trimmed({
		displayName: 'Delivery URL',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://gateway.example.com/ingest/emails',
		description:
			'Public address of a webhook gateway that keeps emails while n8n is down and hands them on. The service delivers there, in place of n8n.',
		hint: "Let the gateway hand on to the production URL that is shown in this panel, with the query of each delivery. Each trigger needs an address of its own there. Test events still come to n8n's own test URL.",
	}),
	// n8n cannot show a field of one collection by what is set in another one (Only Authenticated Senders).
	dnsResolver: text(dnsResolverField({ hint: 'For Check Sender and Only Authenticated Senders.' })),
	ignoreDuplicates: choice<Sameness>({
		displayName: 'Ignore Duplicates',
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
		default: 'sameEmail',
		description:
			'Which emails do not start the workflow because one of the last 2,000 was the same',
	}),
	includeHeaders: onOff({
		displayName: 'Include Headers',
		type: 'boolean',
		default: false,
		description: "Whether to add all of the email's headers to the output",
		displayOptions: { show: { '/simplify': [true] } },
	}),
	includeRawEmail: onOff({
		displayName: 'Include Raw Email',
		type: 'boolean',
		default: false,
		description: 'Whether to add the raw email as an .eml file in the binary field rawEmail',
		hint: 'With Simplify off, the file takes the place of the text in data.rawEmail.',
	}),
	onDeactivation: choice<Retirement>({
		displayName: 'When Unpublished',
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
		default: 'pause',
		description:
			'What happens to the subscription when the workflow is unpublished (n8n 1: deactivated)',
	}),
	removeQuotedText: onOff({
		displayName: 'Remove Quoted Text',
		type: 'boolean',
		default: false,
		description:
			'Whether to leave of a reply only its new text, without the earlier emails that it quotes and without its signature',
		hint: 'In doubt text is kept: answers between quoted lines, forwarded emails. Other emails stay as they are.',
		displayOptions: { show: { '/simplify': [true] } },
	}),
	trustedServers: text(trustedServersField({})),
	useSampleEmail: onOff({
		displayName: 'Use Sample Email',
		type: 'boolean',
		default: false,
		description:
			'Whether a click on Execute step gives a sample email with a PDF at once, instead of waiting for one of yours',
		hint: 'For building a workflow without a mail, or before n8n has a public address. Receive For, Ignore and Filters do not hold it back. The published workflow runs for real emails alone.',
	}),
	verify: onOff({
		displayName: 'Verify With the API',
		type: 'boolean',
		default: false,
		description:
			"Whether to fetch each delivered message by its ID with the API key, refuse what the service does not know, and use the service's copy",
		hint: 'One request more for each email. Where the service keeps no raw email, there are no attachments to download.',
	}),
};

/** The filters of the trigger, as they are set. */
export type Filters = Partial<ValuesOf<typeof FILTERS>>;

export type Options = ValuesOf<typeof OPTIONS>;

export const filterFields = fieldsOf(FILTERS);

export const optionFields = fieldsOf(OPTIONS);

/** What n8n gives the trigger's parameters in: a hook, trigger or webhook context. */
export interface ParameterContext {
	getNodeParameter(name: string, fallback?: unknown, options?: { extractValue?: boolean }): unknown;
}

/** The filters that were added. */
export function readFilters(context: ParameterContext): Filters {
	const added = { ...(context.getNodeParameter('filters', {}) as Record<string, unknown>) };
	const names = Object.keys(FILTERS).filter((name) => name in added);
	return readSettings(FILTERS, names, added);
}

export function readOptions(context: ParameterContext): Options {
	const added = { ...(context.getNodeParameter('options', {}) as Record<string, unknown>) };
	return readSettings(OPTIONS, Object.keys(OPTIONS), added) as Options;
}

function readSettings<Table extends Settings>(
	table: Table,
	names: readonly string[],
	given: Record<string, unknown>,
): Partial<ValuesOf<Table>> {
	const values = names.map((name) => [name, table[name]?.read(given[name])]);
	return Object.fromEntries(values) as Partial<ValuesOf<Table>>;
}

/** In the order of the table. */
function fieldsOf(table: Settings): INodeProperties[] {
	return Object.entries(table).map(([name, { field }]) => ({ ...field, name }));
}
