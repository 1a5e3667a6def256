import type { SimplifiedEmail } from '../../shared/simplifiedEmail';

/** The fields that every email has. */
type Constant = keyof {
	[
		Field in keyof SimplifiedEmail as object extends Pick<SimplifiedEmail, Field> ? never : Field
	]: true;
};

/** Each stands here, as a tool would otherwise not offer it: one that is missing does not compile. */
const OFFERED: Record<Constant, true> = {
	from: true,
	to: true,
	cc: true,
	subject: true,
	date: true,
	text: true,
	html: true,
	attachments: true,
	thread: true,
	delivery: true,
};

/** The output of a message with Simplify on, in its order. */
export const SIMPLIFIED_FIELDS = Object.keys(OFFERED) as Constant[];
