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

interface FilterCheck {
	label: string;
	/** Whether an email passes it; undefined when it is not set. */
	passes(filters: Filters, email: FilteredEmail, isProofRequired: boolean): boolean | undefined;
	/** What an email that does not pass has instead, in words that follow "The email …". For the editor alone. */
	found(email: FilteredEmail, filters: Filters): string;
	/** Why no email can ever pass it as it is set, in words that follow a colon. */
	problem?(filters: Filters, isProofRequired: boolean): string | undefined;
}

const CHECKS: Record<keyof Required<Filters>, FilterCheck> = {
	from: {
		label: 'From',
		passes: ({ from }, email, isProofRequired) =>
			matchesAnyAddress(from, sendersOf(email), isProofRequired),
		found: foundSender,
		problem: ({ from }, isProofRequired) => addressProblem(from, isProofRequired),
	},
	excludeFrom: {
		label: 'Exclude From',
		passes: ({ excludeFrom }, email) => {
			const isListed = matchesAnyAddress(excludeFrom, sendersOf(email));
			return isListed === undefined ? undefined : !isListed;
		},
		found: foundSender,
		problem: ({ excludeFrom }) => addressProblem(excludeFrom),
	},
	to: {
		label: 'To',
		passes: ({ to }, { recipient, ...email }) =>
			matchesAnyAddress(to, [{ name: '', address: recipient ?? '' }, ...email.to, ...email.cc]),
		found: ({ to, cc }) => `is to ${someOf([...to, ...cc].map(({ address }) => address))}`,
		problem: ({ to }) => addressProblem(to),
	},
	subject: {
		label: 'Subject Contains',
		passes: ({ subject }, email) => matchesSubject(subject, email.subject),
		found: (_email, { subject }) => `has a subject that does not match ${subject}`,
		problem: ({ subject }) =>
			filterEntries(subject).some(({ text, isExcluded }) => isExcluded && text === '')
				? 'there is no text after a -. Enter the text to exclude, such as -newsletter'
				: undefined,
	},
	hasAttachments: {
		label: 'Has Attachments',
		passes: ({ hasAttachments }, email) =>
			hasAttachments === undefined ? undefined : email.hasAttachments === hasAttachments,
		found: ({ hasAttachments }) => (hasAttachments ? 'has attachments' : 'has no attachment'),
	},
	attachments: {
		label: 'Attachments',
		passes: ({ attachments }, { files }) => {
			const matches = attachmentMatcher(attachments);
			return matches && files.some(matches);
		},
		found: ({ files }, { attachments }) => {
			const others =
				files.length === 0 ? '' : `, only ${someOf(files.map(({ fileName }) => fileName))}`;
			return `has no attachment that matches ${attachments}${others}`;
		},
		problem: ({ attachments }) => attachmentProblem(attachments),
	},
};

const NAMES = Object.keys(CHECKS) as Array<keyof Filters>;

/** @returns the first filter that an email does not match, and what it has instead */
export async function failedFilter(
	{ filters, senderCheck }: Pick<DeliveryParameters, 'filters' | 'senderCheck'>,
	opened: OpenedEmail,
	recipient: string | null,
): Promise<{ filter: string; found: string } | undefined> {
	const files = attachmentMatcher(filters.attachments) ? await opened.listFiles() : [];
	const email = { ...opened, recipient, files };
	const isProofRequired = senderCheck === 'require';
	const name = NAMES.find((name) => CHECKS[name].passes(filters, email, isProofRequired) === false);
	return name && { filter: CHECKS[name].label, found: CHECKS[name].found(email, filters) };
}

const MAX_SHOWN = 3;

const someOf = (texts: string[]) =>
	texts.length === 0 ? 'no one' : texts.slice(0, MAX_SHOWN).join(', ').slice(0, 200);

const sendersOf = ({ from }: FilteredEmail) => (from === null ? [] : [from]);

function foundSender({ from }: FilteredEmail): string {
	if (from === null) return 'has no sender';
	return `is from ${from.name === '' ? from.address : `${from.name} <${from.address}>`}`;
}

/** What is wrong with a filter that no email can ever pass, and the right form. */
export function filterProblem(
	filters: Filters,
	senderCheck: SenderCheck = 'off',
): string | undefined {
	for (const name of NAMES) {
		const { label, problem } = CHECKS[name];
		const value = filters[name];
		const isOpen = typeof value === 'string' && hasOpenQuotation(value);
		const found = isOpen
			? 'a closing quotation mark is missing'
			: problem?.(filters, senderCheck === 'require');
		if (found !== undefined) return `The filter ${label} can never match: ${found}.`;
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
	const named = attachmentMatcher(filters.attachments);
	return named ?? (output === 'attachment' ? (file) => !isPicture(file) : undefined);
}

/**
 * Looks for what is listed in a subject: one of the texts has to be there, and none of those with a `-` before them.
 * `*` stands for anything, except in quotation marks.
 *
 * @returns undefined where nothing is listed
 */
function matchesSubject(list: string | undefined, subject: string): boolean | undefined {
	const entries = filterEntries(list);
	if (entries.length === 0) return undefined;
	const folded = foldCase(subject);
	const isThere = ({ text, isQuoted }: FilterEntry) =>
		isQuoted ? folded.includes(foldCase(text)) : wildcardMatcher(`*${foldCase(text)}*`)(folded);
	const wanted = entries.filter(({ isExcluded }) => !isExcluded);
	const excluded = entries.filter(({ isExcluded }) => isExcluded);
	return (wanted.length === 0 || wanted.some(isThere)) && !excluded.some(isThere);
}
