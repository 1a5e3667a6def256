import type { EmailText, WrittenField } from '../email';
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
	const fields = email.fields.map(withSingleSpacesIn);
	return { ...email, fields };
}

/** The same field if there is nothing to change, as in most. */
function withSingleSpacesIn(field: WrittenField): WrittenField {
	const value = field.value.replace(RUN_OF_BLANKS, ' ');
	if (value === field.value) return field;
	return { ...field, value };
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
	const isLeftOut = (name: string): boolean => LEFT_OUT_UNLESS_COVERED.has(name) && !covers(name);
	const fields = email.fields.filter(({ name }) => !isLeftOut(name));
	const signed: EmailText = { ...email, fields, body: await body.asSigned() };
	if (!covers('content-type')) signed.isTypeUnsigned = true;
	return signed;
}
