import type { ListedFile, OpenedEmail } from '../../../../lib/email';
import type { MessageWithEmail } from '../../shared/messageWithEmail';
import { toldRecipient } from '../../shared/simplifiedEmail';
import { FILTER_FIELDS, type Filters } from './collections';
import type { DeliveryParameters } from './parameters';
import {
	addressProblem,
	attachmentMatcher,
	attachmentProblem,
	filterEntries,
	comparableText,
	hasOpenQuotation,
	matchesAnyAddress,
	wildcardMatcher,
	type FilterEntry,
} from './patterns';

interface FilteredEmail {
	opened: OpenedEmail;
	/** The address that it was delivered to, if known: Bcc recipients appear nowhere else. */
	recipient: string | null;
	/** Undefined if they are unknown, or no filter needs them. */
	files: ListedFile[] | undefined;
}

interface FilterCheck<Value = string | boolean> {
	passes(value: Value, email: FilteredEmail, isProofRequired: boolean): boolean;
	/** What an email that does not pass has instead, in words that follow "The email …"; only for the editor. */
	found(email: FilteredEmail, value: Value): string;
	/** Why an entry of the filter can never match, in words that follow it. */
	problem?(entry: FilterEntry, isProofRequired: boolean): string | undefined;
}

const CHECKS: { [Name in keyof Filters]-?: FilterCheck<NonNullable<Filters[Name]>> } = {
	from: {
		passes: (list, { opened }, isProofRequired) =>
			matchesAnyAddress(list, [opened.from], isProofRequired),
		found: foundSender,
		problem: addressProblem,
	},
	excludeFrom: {
		passes: (list, { opened }) => !matchesAnyAddress(list, [opened.from]),
		found: foundSender,
		problem: (entry) => addressProblem(entry),
	},
	to: {
		passes: (list, { opened: { to, cc }, recipient }) =>
			matchesAnyAddress(list, [{ name: '', address: recipient ?? '' }, ...to, ...cc]),
		found: ({ opened: { to, cc } }) =>
			`is to ${someOf([...to, ...cc].map(({ address }) => address))}`,
		problem: (entry) => addressProblem(entry),
	},
	subject: {
		passes: (list, { opened }) => matchesSubject(list, opened.subject),
		found: (_email, list) => `has a subject that does not match ${list}`,
		problem: ({ text, isExcluded }) =>
			isExcluded && text === ''
				? 'has no text after the -. Enter the text to exclude, such as -newsletter'
				: undefined,
	},
	hasAttachments: {
		passes: (isWanted, { files }) => files === undefined || hasOwnFile(files) === isWanted,
		found: ({ files = [] }) => (hasOwnFile(files) ? 'has attachments' : 'has no attachment'),
	},
	attachments: {
		passes: (list, { files }) => files?.some(attachmentMatcher(list)) ?? true,
		found: ({ files = [] }, list) => {
			const others =
				files.length === 0 ? '' : `, only ${someOf(files.map(({ fileName }) => fileName))}`;
			return `has no attachment that matches ${list}${others}`;
		},
		problem: attachmentProblem,
	},
};

function addedFilters(filters: Filters) {
	const names = Object.keys(CHECKS) as Array<keyof Filters>;
	return names.flatMap((name) => {
		const value = filters[name];
		if (value === undefined) return [];
		const { displayName: label } = FILTER_FIELDS[name].field;
		const isEmpty = typeof value !== 'boolean' && filterEntries(value).length === 0;
		return [{ name, label, value: value ?? '', isEmpty, check: CHECKS[name] as FilterCheck }];
	});
}

/** The files of attached emails do not count: the attached email itself does. */
function hasOwnFile(files: readonly ListedFile[]): boolean {
	return files.some(({ inline, inside }) => !inline && inside === undefined);
}

/** A filter that an email does not pass. */
interface FailedFilter {
	/** The label in the editor. */
	filter: string;
	/** What the email has instead, in words that follow "The email …". */
	found?: string;
	/** A sentence about a filter that lets no email through. */
	warning?: string;
}

/**
 * An empty filter, for example by an expression, lets no email through. Only an empty From Excludes excludes nobody. An email
 * whose files are unknown passes the filters for them, and starts the workflow with a warning.
 */
export async function failedFilters(
	{ received, open }: MessageWithEmail,
	{ filters, senderCheck }: Pick<DeliveryParameters, 'filters' | 'senderCheck'>,
): Promise<FailedFilter[]> {
	const opened = await open();
	const needsFiles = filters.attachments !== undefined || filters.hasAttachments !== undefined;
	const files = needsFiles ? await opened.listFiles() : undefined;
	const email = { opened, recipient: toldRecipient(received, opened), files };
	return addedFilters(filters).flatMap(({ name, label: filter, value, isEmpty, check }) => {
		if (isEmpty && name !== 'excludeFrom')
			return { filter, warning: `The filter '${filter}' has no value.` };
		const passes = check.passes(value, email, senderCheck === 'require');
		return passes ? [] : { filter, found: check.found(email, value) };
	});
}

const MAX_SHOWN_VALUES = 3;

const someOf = (texts: string[]) =>
	texts.length === 0 ? 'no one' : texts.slice(0, MAX_SHOWN_VALUES).join(', ').slice(0, 200);

function foundSender({ opened: { from } }: FilteredEmail): string {
	if (from === null) return 'has no sender';
	return `is from ${from.name === '' ? from.address : `${from.name} <${from.address}>`}`;
}

/** Why no email can start the workflow with these settings, as a sentence. */
export function filterProblem(
	filters: Filters,
	{ output, senderCheck }: Partial<Pick<DeliveryParameters, 'output' | 'senderCheck'>> = {},
): string | undefined {
	const needsFiles = [
		filters.attachments !== undefined && "the filter 'Attachments'",
		output === 'attachment' && "'Output' set to One Item per Attachment",
	].find((setting) => setting !== false);
	if (needsFiles && filters.hasAttachments === false)
		return `The filter 'Has Attachments' is off, but ${needsFiles} needs attachments. Change one of them.`;
	for (const { label, value, isEmpty, check } of addedFilters(filters)) {
		if (typeof value === 'boolean') continue;
		if (isEmpty) return `The filter '${label}' is empty. Enter a value or remove the filter.`;
		const fault = `The filter '${label}' can never match:`;
		if (hasOpenQuotation(value)) return `${fault} a closing quotation mark is missing.`;
		for (const entry of filterEntries(value)) {
			const problem = check.problem?.(entry, senderCheck === 'require');
			const shown = `${entry.isExcluded ? '-' : ''}${entry.text}`.slice(0, 100);
			if (problem !== undefined) return `${fault} "${shown}" ${problem}.`;
		}
	}
	return undefined;
}

/** Undefined for all. Images within the text, such as the logo in a signature, are not items of their own. */
export function wantedFiles({
	filters,
	output,
}: Pick<DeliveryParameters, 'filters' | 'output'>): ((file: ListedFile) => boolean) | undefined {
	if (filters.attachments !== undefined) return attachmentMatcher(filters.attachments);
	return output === 'attachment' ? ({ inline }) => !inline : undefined;
}

/** The subject contains one of the texts, and none that has a `-` in front. `*` matches anything, except in quotation marks. */
function matchesSubject(list: string, subject: string): boolean {
	const folded = comparableText(subject);
	const isThere = ({ text, isQuoted }: FilterEntry) =>
		isQuoted
			? folded.includes(comparableText(text))
			: wildcardMatcher(`*${comparableText(text)}*`)(folded);
	const entries = filterEntries(list);
	const wanted = entries.filter(({ isExcluded }) => !isExcluded);
	const excluded = entries.filter(({ isExcluded }) => isExcluded);
	return (wanted.length === 0 || wanted.some(isThere)) && !excluded.some(isThere);
}
