import { readMessageFields, type ServiceMessage } from '../../api/message';
import { readEmail, readHeaders, type EmailHeaders } from '../../email';
import { whyNoEmail } from '../../email/recognition';

const NO_CONTENT = { attachments: false, headers: false, binaryPrefix: '' };

/** What the filters look at: the same fields that the output has, from the same source. */
export async function filteredHeaders({
	rawEmail = '',
	message,
}: ServiceMessage): Promise<EmailHeaders> {
	if (whyNoEmail(rawEmail) === undefined) return await readHeaders(rawEmail);
	const { email } = await readEmail(rawEmail, () => readMessageFields(message), NO_CONTENT);
	return { ...email, hasAttachments: email.attachments.some(({ inline }) => !inline) };
}
