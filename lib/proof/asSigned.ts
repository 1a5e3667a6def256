import type { EmailText } from '../email';
import type { CanonicalBody } from './canonicalBody';
import type { Covers } from './coverage';

const RUN_OF_BLANKS = /[ \t]{2,}|\t/g;

/** Fields of the email itself that change how its content is read, but that few signers cover. */
const LEFT_OUT_UNLESS_COVERED: ReadonlySet<string> = new Set([
	'content-base',
	'content-disposition',
	'content-id',
	'content-location',
]);

/** The values of fields with single spaces. Other whitespace, such as a no-break space, is part of the signed text. */
export function withSingleSpaces(email: EmailText): EmailText {
	const fields = email.fields.map((field) => {
		const value = field.value.replace(RUN_OF_BLANKS, ' ');
		return value === field.value ? field : { ...field, value };
	});
	return { ...email, fields };
}

/**
 * The email as a relaxed signature sees it (RFC 6376, 3.4).
 *
 * @param email with single spaces in its fields
 */
export async function asSigned(
	email: EmailText,
	body: CanonicalBody,
	covers: Covers,
): Promise<EmailText> {
	const fields = email.fields.filter(
		({ name }) => !LEFT_OUT_UNLESS_COVERED.has(name) || covers(name),
	);
	return { ...email, fields, body: await body.asSigned() };
}
