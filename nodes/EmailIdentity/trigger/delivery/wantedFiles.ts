import { isPicture, type ListedFile, type OpenedEmail } from '../../email';
import type { DeliveryParameters } from '../parameters';
import { attachmentMatcher } from './attachmentPatterns';

type Wishes = Pick<DeliveryParameters, 'filters' | 'output'>;

/**
 * Which files of an email are in the output: those that the filter Attachments names. Without it all are, except that
 * pictures within the text, such as the logo in a signature, are no items of their own.
 *
 * @returns undefined for all
 */
export function wantedFiles({
	filters,
	output,
}: Wishes): ((file: ListedFile) => boolean) | undefined {
	const named = attachmentMatcher(filters.attachments);
	return named ?? (output === 'attachment' ? (file) => !isPicture(file) : undefined);
}

/** Whether an email gives any item: where each is an attachment, one without attachments gives none. */
export async function hasItems(wishes: Wishes, opened: OpenedEmail): Promise<boolean> {
	if (wishes.output === 'email') return true;
	const files = await opened.listFiles();
	return files.some(wantedFiles(wishes) ?? (() => true));
}
