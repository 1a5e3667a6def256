import { isPicture, type ListedFile, type OpenedEmail } from '../../../../lib/email';
import { toldRecipient } from '../../shared/simplifiedEmail';
import type { SenderCheckChoice } from '../../shared/fields';
import { FILTERS, type Filters } from '../options';
import type { DeliveryParameters } from '../parameters';
import { addressProblem, matchesAnyAddress } from './addressPatterns';
import type { Step } from './mail';
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

interface FilteredEmail {
	opened: OpenedEmail;
	/** The address that it was delivered to, where that is told: recipients in Bcc stand nowhere else. */
	recipient: string | null;
	/** Its files, where a filter looks at them. */
	files: ListedFile[];
}

interface FilterCheck<Value = string | boolean> {
	passes(value: Value, email: FilteredEmail, isProofRequired: boolean): boolean;
	/** What an email that does not pass has instead, in words that follow "The email …". For the editor alone. */
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
		passes: (isWanted, { opened }) => opened.hasAttachments === isWanted,
		found: ({ opened }) => (opened.hasAttachments ? 'has attachments' : 'has no attachment'),
	},
	attachments: {
		passes: (list, { files }) => files.some(attachmentMatcher(list)),
		found: ({ files }, list) => {
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
		const { displayName: label } = FILTERS[name].field;
		const isEmpty = typeof value !== 'boolean' && filterEntries(value).length === 0;
		return [{ name, label, value: value ?? '', isEmpty, check: CHECKS[name] as FilterCheck }];
	});
}

/**
 * A filter that an expression left empty lets no email through. Only an empty Exclude From excludes nobody.
 *
 * @returns the filter that is empty, or the first that an email does not match with what it has instead
 */
export async function failedFilter(
	{ filters, senderCheck }: Pick<DeliveryParameters, 'filters' | 'senderCheck'>,
	opened: OpenedEmail,
	recipient: string | null,
): Promise<Pick<Ignored, 'filter' | 'found' | 'warning'> | undefined> {
	const files = filters.attachments === undefined ? [] : await opened.listFiles();
	const email = { opened, recipient, files };
	const added = addedFilters(filters);
	const empty = added.find(({ name, isEmpty }) => isEmpty && name !== 'excludeFrom');
	if (empty) return { filter: empty.label, warning: `The filter ${empty.label} has no value.` };
	const failed = added.find(
		({ value, check }) => !check.passes(value, email, senderCheck === 'require'),
	);
	return failed && { filter: failed.label, found: failed.check.found(email, failed.value) };
}

const MAX_SHOWN = 3;

const someOf = (texts: string[]) =>
	texts.length === 0 ? 'no one' : texts.slice(0, MAX_SHOWN).join(', ').slice(0, 200);

function foundSender({ opened: { from } }: FilteredEmail): string {
	if (from === null) return 'has no sender';
	return `is from ${from.name === '' ? from.address : `${from.name} <${from.address}>`}`;
}

/** What is wrong with a filter that is empty or that no email can ever pass, and what to do. */
export function filterProblem(
	filters: Filters,
	senderCheck: SenderCheckChoice = 'off',
): string | undefined {
	for (const { label, value, isEmpty, check } of addedFilters(filters)) {
		if (typeof value === 'boolean') continue;
		if (isEmpty) return `The filter ${label} is empty. Enter a value or remove the filter.`;
		const fault = `The filter ${label} can never match:`;
		if (hasOpenQuotation(value)) return `${fault} a closing quotation mark is missing.`;
		for (const entry of filterEntries(value)) {
			const problem = check.problem?.(entry, senderCheck === 'require');
			const shown = `${entry.isExcluded ? '-' : ''}${entry.text}`.slice(0, 100);
			if (problem !== undefined) return `${fault} "${shown}" ${problem}.`;
		}
	}
	return undefined;
}

export const filtered: Step = async ({ email }, { parameters }) => {
	const opened = await email.open();
	const failed = await failedFilter(parameters, opened, toldRecipient(email.received, opened));
	return failed && ignore('filtered', failed);
};

export const withoutItems: Step = async ({ email }, { parameters }) => {
	if (parameters.output === 'email') return undefined;
	const files = await (await email.open()).listFiles();
	return files.some(wantedFiles(parameters) ?? (() => true)) ? undefined : ignore('noAttachment');
};

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
	if (filters.attachments !== undefined) return attachmentMatcher(filters.attachments);
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
