// Of these every email that was sent has at least one; text that has none is not an email.
const HEADERS_OF_EMAILS =
	/^(?:bcc|cc|content-type|date|delivered-to|from|message-id|mime-version|received|reply-to|return-path|sender|subject|to|x-[a-z-]+)[ \t]*:/im;

const END_OF_HEADERS = /\n\r*\n/;

/** Some senders put line breaks or a byte order mark before the first header, where they would end the headers. */
export const BEFORE_THE_HEADERS = /^[\uFEFF\s]+/;

/** Why a text cannot be an email, in words that follow "because"; undefined when it may be one. */
export function whyNoEmail(rawEmail: string): string | undefined {
	if (rawEmail.trim() === '') return 'the raw email is missing';
	const end = rawEmail.search(END_OF_HEADERS);
	const headers = end < 0 ? rawEmail : rawEmail.slice(0, end);
	return HEADERS_OF_EMAILS.test(headers)
		? undefined
		: 'what came as the raw email has no email headers';
}
