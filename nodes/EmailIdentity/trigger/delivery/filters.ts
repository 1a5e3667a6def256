import { isPicture, type ListedFile, type OpenedEmail } from '../../email';
import { toldRecipient } from '../../shared/simplifiedEmail';
import type { SenderCheck } from '../../shared/fields';
import type { Filters } from '../options';
import type { DeliveryParameters } from '../parameters';
import { addressProblem, matchesAnyAddress } from './addressPatterns';
import type { Mail } from './mail';
import {
	attachmentMatcher,
	attachmentProblem,
	filterEntries,
	foldCase,
	hasOpenQuotation,
	wildcardMatcher,
	type FilterEntry,
} from './patterns';
import { ignore, type Ignored } from './outcomes';
import type { DeliveryRequest } from './request';

interface FilteredEmail extends Pick<
	OpenedEmail,
	'from' | 'to' | 'cc' | 'subject' | 'hasAttachments'
> {
	/** The address that it was delivered to, where that is told: recipients in Bcc stand nowhere else. */
	recipient: string | null;
	/** Its files, where a filter looks at them. */
	files: ListedFile[];
}

interface FilterCheck<Value = string | boolean> {
	label: string;
	passes(value: Value, email: FilteredEmail, isProofRequired: boolean): boolean;
	/** What an email that does not pass has instead, in words that follow "The email …". For the editor alone. */
	found(email: FilteredEmail, value: Value): string;
	/** Why no email can ever pass it as it is set, in words that follow a colon. */
	problem?(value: Value, isProofRequired: boolean): string | undefined;
}

const CHECKS: { [Name in keyof Filters]-?: FilterCheck<NonNullable<Filters[Name]>> } = {
	from: {
		label: 'From',
		passes: (list, { from }, isProofRequired) => matchesAnyAddress(list, [from], isProofRequired),
		found: foundSender,
		problem: addressProblem,
	},
	excludeFrom: {
		label: 'Exclude From',
		passes: (list, { from }) => !matchesAnyAddress(list, [from]),
		found: foundSender,
		problem: (list) => addressProblem(list),
	},
	to: {
		label: 'To',
		passes: (list, { recipient, to, cc }) =>
			matchesAnyAddress(list, [{ name: '', address: recipient ?? '' }, ...to, ...cc]),
		found: ({ to, cc }) => `is to ${someOf([...to, ...cc].map(({ address }) => address))}`,
		problem: (list) => addressProblem(list),
	},
	subject: {
		label: 'Subject Contains',
		passes: (list, { subject }) => matchesSubject(list, subject),
		found: (_email, list) => `has a subject that does not match ${list}`,
		problem: (list) =>
			filterEntries(list).some(({ text, isExcluded }) => isExcluded && text === '')
				? 'there is no text after a -. Enter the text to exclude, such as -newsletter'
				: undefined,
	},
	hasAttachments: {
		label: 'Has Attachments',
		passes: (isWanted, { hasAttachments }) => hasAttachments === isWanted,
		found: ({ hasAttachments }) => (hasAttachments ? 'has attachments' : 'has no attachment'),
	},
	attachments: {
		label: 'Attachments',
		passes: (list, { files }) => files.some(attachmentMatcher(list)),
		found: ({ files }, list) => {
			const others =
				files.length === 0 ? '' : `, only ${someOf(files.map(({ fileName }) => fileName))}`;
			return `has no attachment that matches ${list}${others}`;
		},
		problem: attachmentProblem,
	},
};

/** The filters that are set: one that lists nothing lets everything through. */
function setFilters(filters: Filters): Array<{ value: string | boolean; check: FilterCheck }> {
	return (Object.keys(CHECKS) as Array<keyof Filters>).flatMap((name) => {
		const value = filters[name];
		const isSet = typeof value === 'boolean' || isListing(value);
		return isSet && value !== undefined ? [{ value, check: CHECKS[name] }] : [];
	});
}

const isListing = (list: string | undefined): list is string => filterEntries(list).length > 0;

/** @returns the first filter that an email does not match, and what it has instead */
export async function failedFilter(
	{ filters, senderCheck }: Pick<DeliveryParameters, 'filters' | 'senderCheck'>,
	opened: OpenedEmail,
	recipient: string | null,
): Promise<{ filter: string; found: string } | undefined> {
	const files = isListing(filters.attachments) ? await opened.listFiles() : [];
	const email = { ...opened, recipient, files };
	const failed = setFilters(filters).find(
		({ value, check }) => !check.passes(value, email, senderCheck === 'require'),
	);
	return failed && { filter: failed.check.label, found: failed.check.found(email, failed.value) };
}

const MAX_SHOWN = 3;

const someOf = (texts: string[]) =>
	texts.length === 0 ? 'no one' : texts.slice(0, MAX_SHOWN).join(', ').slice(0, 200);

function foundSender({ from }: FilteredEmail): string {
	if (from === null) return 'has no sender';
	return `is from ${from.name === '' ? from.address : `${from.name} <${from.address}>`}`;
}

/** What is wrong with a filter that no email can ever pass, and the right form. */
export function filterProblem(
	filters: Filters,
	senderCheck: SenderCheck = 'off',
): string | undefined {
	for (const { value, check } of setFilters(filters)) {
		const isOpen = typeof value === 'string' && hasOpenQuotation(value);
		const found = isOpen
			? 'a closing quotation mark is missing'
			: check.problem?.(value, senderCheck === 'require');
		if (found !== undefined) return `The filter ${check.label} can never match: ${found}.`;
	}
	return undefined;
}

export async function filtered(
	{ email }: Mail,
	{ parameters }: DeliveryRequest,
): Promise<Ignored | undefined> {
	const opened = await email.open();
	const failed = await failedFilter(parameters, opened, toldRecipient(email.received, opened));
	return failed && ignore('filtered', failed);
}

export async function withoutItems(
	{ email }: Mail,
	{ parameters }: DeliveryRequest,
): Promise<Ignored | undefined> {
	if (parameters.output === 'email') return undefined;
	const files = await (await email.open()).listFiles();
	return files.some(wantedFiles(parameters) ?? (() => true)) ? undefined : ignore('noAttachment');
}

/**
 * Which files of an email are in the output: those that the filter Attachments names. Without it all are, except that
 * pictures within the text, such as the logo in a signature, are no items of their own.
 *
 * @returns undefined for all
 */
export function wantedFiles({
	filters,
	output,
}: Pick<DeliveryParameters, 'filters' | 'output'>): ((file: ListedFile) => boolean) | undefined {
	if (isListing(filters.attachments)) return attachmentMatcher(filters.attachments);
	return output === 'attachment' ? (file) => !isPicture(file) : undefined;
}

/** One of the texts has to be there, and none of those with a `-` before them. `*` stands for anything, except in quotation marks. */
function matchesSubject(list: string, subject: string): boolean {
	const folded = foldCase(subject);
	const isThere = ({ text, isQuoted }: FilterEntry) =>
		isQuoted ? folded.includes(foldCase(text)) : wildcardMatcher(`*${foldCase(text)}*`)(folded);
	const entries = filterEntries(list);
	const wanted = entries.filter(({ isExcluded }) => !isExcluded);
	const excluded = entries.filter(({ isExcluded }) => isExcluded);
	return (wanted.length === 0 || wanted.some(isThere)) && !excluded.some(isThere);
}
