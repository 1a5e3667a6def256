import type { ListedFile, OpenedEmail } from '../../../../lib/email';
import type { MessageWithEmail } from '../../shared/reading/messageWithEmail';
import { toldRecipient } from '../../shared/reading/recipient';
import { addressProblem, coveringEntry, matchesAnyAddress } from './addressPatterns';
import { FILTER_FIELDS } from './collections';
import { filterEntries, type FilterEntry } from './entries';
import { attachmentMatcher, attachmentProblem } from './filePatterns';
import type { DeliveryParameters, Filters } from './settings';
import { matchesSubject, subjectProblem } from './subjectPatterns';

/** An email with the values that filters compare. */
interface FilteredEmail {
	opened: OpenedEmail;
	/** The address that it was delivered to, if known: Bcc recipients appear nowhere else. */
	recipient: string | null;
	/** Undefined if they are unknown, or no filter needs them. */
	files: ListedFile[] | undefined;
	/** Whether Sender Check is set to Require. */
	isProofRequired: boolean;
}

/** The context in which an entry of a filter is judged. */
export interface EntrySurroundings {
	/** The filter that the entry belongs to. */
	list: string;
	filters: Filters;
	isProofRequired: boolean;
}

/** A filter: its test of an email, and the words about both in the editor. */
interface FilterCheck<Value = string | boolean> {
	passes(value: Value, email: FilteredEmail): boolean;
	/** The value of an email that does not pass, in words that follow "The email …"; only for the editor. */
	found(email: FilteredEmail, value: Value): string;
	/** Why an entry of the filter can never match, in words that follow it. */
	problem?(entry: FilterEntry, surroundings: EntrySurroundings): string | undefined;
}

const CHECKS: { [Name in keyof Filters]-?: FilterCheck<NonNullable<Filters[Name]>> } = {
	from: {
		passes: (list, { opened, isProofRequired }) =>
			matchesAnyAddress(list, [opened.from], isProofRequired),
		found: foundSender,
		problem: (entry, { isProofRequired, filters }) =>
			addressProblem(entry, isProofRequired) ?? exclusionProblem(entry, filters.excludeFrom),
	},
	excludeFrom: {
		passes: (list, { opened }) => !matchesAnyAddress(list, [opened.from]),
		found: foundSender,
		problem: (entry) => addressProblem(entry),
	},
	to: {
		passes(list, { opened, recipient }) {
			const deliveredTo = { name: '', address: recipient ?? '' };
			return matchesAnyAddress(list, [deliveredTo, ...opened.to, ...opened.cc]);
		},
		found({ opened }) {
			const addresses = [...opened.to, ...opened.cc].map(({ address }) => address);
			return `is to ${someOf(addresses)}`;
		},
		problem: (entry) => addressProblem(entry),
	},
	subject: {
		passes: (list, { opened }) => matchesSubject(list, opened.subject),
		found: (_email, list) => `has a subject that does not match ${list}`,
		problem: (entry, { filters }) => subjectProblem(entry, filters.excludeSubject),
	},
	excludeSubject: {
		passes: (list, { opened }) => !matchesSubject(list, opened.subject),
		found: (_email, list) => `has a subject that matches ${list}`,
		problem: (entry) => subjectProblem(entry),
	},
	hasAttachments: {
		passes: (isWanted, { files }) => files === undefined || hasOwnFile(files) === isWanted,
		found: ({ files = [] }) => (hasOwnFile(files) ? 'has attachments' : 'has no attachment'),
	},
	attachments: {
		passes: (list, { files }) => files?.some(attachmentMatcher(list)) ?? true,
		found({ files = [] }, list) {
			const nothing = `has no attachment that matches ${list}`;
			if (files.length === 0) return nothing;
			return `${nothing}, only ${someOf(files.map(({ fileName }) => fileName))}`;
		},
		problem: attachmentProblem,
	},
};

const EXCLUDING: ReadonlySet<keyof Filters> = new Set(['excludeFrom', 'excludeSubject']);

/** A filter that was added. */
export interface AddedFilter {
	name: keyof Filters;
	/** The label in the editor. */
	label: string;
	value: string | boolean;
	isEmpty: boolean;
	check: FilterCheck;
}

/** In the order of the table above. */
export function addedFilters(filters: Filters): AddedFilter[] {
	const added: AddedFilter[] = [];
	for (const name of Object.keys(CHECKS) as Array<keyof Filters>) {
		const value = filters[name];
		if (value === undefined) continue;
		const { displayName: label } = FILTER_FIELDS[name].field;
		const isEmpty = typeof value !== 'boolean' && filterEntries(value).length === 0;
		added.push({ name, label, value: value ?? '', isEmpty, check: CHECKS[name] as FilterCheck });
	}
	return added;
}

/** A filter that an email does not pass. */
export interface FailedFilter {
	/** The label in the editor. */
	filter: string;
	/** The value of the email instead, in words that follow "The email …". */
	found?: string;
	/** A sentence about a filter that lets no email through. */
	warning?: string;
}

/**
 * An empty filter, for example by an expression, lets no email through. Only an empty list of what is excluded excludes nothing. An email
 * whose files are unknown passes the filters for them, and starts the workflow with a warning.
 */
export async function failedFilters(
	{ received, open }: MessageWithEmail,
	{ filters, senderCheck }: Pick<DeliveryParameters, 'filters' | 'senderCheck'>,
): Promise<FailedFilter[]> {
	const opened = await open();
	const needsFiles = filters.attachments !== undefined || filters.hasAttachments !== undefined;
	const email: FilteredEmail = {
		opened,
		recipient: toldRecipient(received, opened),
		files: needsFiles ? await opened.listFiles() : undefined,
		isProofRequired: senderCheck === 'require',
	};
	const failed: FailedFilter[] = [];
	for (const { name, label, value, isEmpty, check } of addedFilters(filters)) {
		if (isEmpty && !EXCLUDING.has(name)) {
			failed.push({ filter: label, warning: `The filter '${label}' has no value.` });
		} else if (!check.passes(value, email)) {
			failed.push({ filter: label, found: check.found(email, value) });
		}
	}
	return failed;
}

/** Undefined for all. Images within the text, such as the logo in a signature, are not items of their own. */
export function wantedFiles({
	filters,
	output,
}: Pick<DeliveryParameters, 'filters' | 'output'>): ((file: ListedFile) => boolean) | undefined {
	if (filters.attachments !== undefined) return attachmentMatcher(filters.attachments);
	if (output === 'attachment') return (file) => !file.inline;
	return undefined;
}

/** The files of attached emails do not count: the attached email itself does. */
function hasOwnFile(files: readonly ListedFile[]): boolean {
	return files.some(({ inline, inside }) => !inline && inside === undefined);
}

const MAX_SHOWN_VALUES = 3;

function someOf(texts: string[]): string {
	if (texts.length === 0) return 'no one';
	return texts.slice(0, MAX_SHOWN_VALUES).join(', ').slice(0, 200);
}

function foundSender({ opened: { from } }: FilteredEmail): string {
	if (from === null) return 'has no sender';
	return `is from ${from.name === '' ? from.address : `${from.name} <${from.address}>`}`;
}

function exclusionProblem(entry: FilterEntry, excludeFrom = ''): string | undefined {
	const excluding = coveringEntry(entry, excludeFrom);
	if (excluding === undefined) return undefined;
	return `is also excluded, by "${excluding}" in 'From Excludes'. Remove one of them`;
}
