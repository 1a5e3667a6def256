import { readEmail, readHeaders, type EmailHeaders } from '../../email';
import { whyNoEmail } from '../../email/recognition';
import type { ReceivedMessage } from './readEvent';

const NO_CONTENT = { attachments: false, headers: false, binaryPrefix: '' };

/** What the filters look at: the same fields that the output has, from the same source. */
export async function filteredHeaders({
	rawEmail,
	message,
}: ReceivedMessage): Promise<EmailHeaders> {
	if (whyNoEmail(rawEmail) === undefined) return await readHeaders(rawEmail);
	const { email } = await readEmail(rawEmail, message, NO_CONTENT);
	return { ...email, hasAttachments: email.attachments.some(({ inline }) => !inline) };
}
