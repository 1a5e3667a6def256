import type { Subject } from '../request';

/**
 * Sentences for the user about a failed request. They may contain `{subject}` and, after the name of a field of the
 * credential, `{inCredential}`; `filledAdvice` fills these places.
 */
export interface Advice {
	/** Names the failure. */
	message: string;
	/** Names the cause; absent if nothing more is known. */
	detail?: string;
	/** Tells how to solve it. */
	description: string;
}

export const CHECK_BASE_URL =
	'Check the base URL{inCredential}. It ends in the path of the API, such as /api/kurrier.';

export const UNREADABLE_RESPONSE: Advice = {
	message: 'The service sent a response that cannot be read',
	description: CHECK_BASE_URL,
};

const LISTS: Partial<Record<Subject, string>> = {
	identities: 'list of identities',
	webhooks: 'list of webhooks',
};

/** Follows a field of the credential where the reader does not have it open. */
const IN_CREDENTIAL = ' in the Email Identity API credential';

/** @param inCredential the words for `{inCredential}`; none in the credential's own dialog */
export function filledAdvice(
	text: string,
	subject: Subject,
	inCredential: string = IN_CREDENTIAL,
): string {
	return text
		.replaceAll('{subject}', LISTS[subject] ?? subject)
		.replaceAll('{inCredential}', inCredential);
}
