import { hasEmailField, type MimeOutline, type PartHeader } from '../email';

/** What mail programs write above the first part, for programs that cannot display parts, without dots and blanks at the end. */
const USUAL_PREAMBLES: ReadonlySet<string> = new Set([
	'',
	'This is a multi-part message in MIME format',
	'This is a multipart message in MIME format',
	'This is a cryptographically signed message in MIME format',
	'This is an S/MIME signed message',
	'This is an OpenPGP/MIME signed message (RFC 2440 and 3156)',
	'This is an OpenPGP/MIME signed message (RFC 4880 and 3156)',
	'This is an OpenPGP/MIME encrypted message (RFC 2440 and 3156)',
	'This is an OpenPGP/MIME encrypted message (RFC 4880 and 3156)',
	'This is a message in Mime Format. If you see this, your mail reader does not support this format',
	'This is a MIME-encapsulated message',
	'This is a MIME-formatted message. If you see this text it means that your E-mail software does not support MIME-formatted messages',
	'This message is in MIME format. The first part should be readable text, while the remaining parts are likely unreadable without MIME-aware tools',
	'This message is in MIME format. Since your mail reader does not understand this format, some or all of this message may not be legible',
]);

/** Longer than the longest of them: only so much of a preamble is rewritten, which can be as long as the email. */
const MAX_PREAMBLE = 300;

const USUAL_FIELD = /^(?:content-.+|x-.+|mime-version)$/;

/** A part of an encrypted or signed email repeats the header of the email to protect it, and says so (RFC 9788). */
const PROTECTS_HEADER = /;\s*(?:hp|protected-headers)\s*=/i;

/**
 * Whether an email of parts consists of them alone: no text that readers skip above, between or below them, and no other
 * fields in their headers than usual. Looks at the outermost container.
 *
 * If the Content-Type is not signed, a stranger can send the same body again with another boundary. Then what nobody saw before, such as a
 * text above the first part, becomes a part, and what everybody saw is skipped; the signature of the body is still valid.
 */
export function hasOnlyParts({ preamble, epilogue, partHeaders }: MimeOutline): boolean {
	if (!isUsualPreamble(preamble)) return false;
	// Without a last boundary, text may have been cut off or added.
	if (epilogue === undefined || epilogue.trim() !== '') return false;
	return partHeaders.every(isUsualHeader);
}

function isUsualPreamble(text: string): boolean {
	const written = text.trim();
	if (written.length > MAX_PREAMBLE) return false;
	const sentence = written.replace(/\s+/g, ' ').replace(/(?:\.|\.\.\.)$/, '');
	return USUAL_PREAMBLES.has(sentence);
}

function isUsualHeader({ fields, isPlain }: PartHeader): boolean {
	if (!isPlain) return false;
	const type = fields.find(({ name }) => name === 'content-type')?.value ?? '';
	const isProtecting = PROTECTS_HEADER.test(type);
	for (const field of fields) {
		const isProtected = isProtecting && hasEmailField([field]);
		if (!USUAL_FIELD.test(field.name) && !isProtected) return false;
	}
	return true;
}
