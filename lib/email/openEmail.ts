import { Pace } from '../basics';
import { openKnownEmail } from './knownEmail';
import { limitsWith, type Reading } from './limits';
import { readMimeStructure } from './mime/mimeStructure';
import type { HeaderField } from './mime/headerFields';
import { isAbsent, hasEmailField, type EmailText } from './mime/splitEmail';
import { openParsedEmail } from './parsedEmail';
import type { KnownEmail, OpenedEmail, OpenEmailOptions } from './emailTypes';

/**
 * Opens an email: reads its headers and finds its parts without decoding them.
 *
 * @param email from {@link splitEmail}; without fields and body if it is missing
 * @returns never fails: an email that cannot be parsed has `parsed: false`
 */
export async function openEmail(
	email: EmailText,
	{ pause, known = () => ({}), limits }: OpenEmailOptions,
): Promise<OpenedEmail> {
	const reading: Reading = { limits: limitsWith(limits), pace: new Pace(pause) };
	try {
		const opened = await open(email, known, reading);
		return withFallback(opened, async (error) => await openAfterFault(error, known, reading));
	} catch (error) {
		return await openAfterFault(error, known, reading);
	}
}

/** What the service says about the email, for an email that cannot be parsed. */
type Known = () => Partial<KnownEmail>;

/** A reason completes "The email was not parsed because …". */
async function open(email: EmailText, known: Known, reading: Reading): Promise<OpenedEmail> {
	const openKnown = async (reason: string, header: HeaderField[] = []): Promise<OpenedEmail> =>
		await openKnownEmail(known(), reason, header, reading);
	if (isAbsent(email)) return await openKnown('the raw email is missing');
	const structure = await readMimeStructure(email, reading);
	const { fields } = structure.email;
	if (structure.excess !== undefined) return await openKnown(structure.excess, fields);
	if (!hasEmailField(fields)) return await openKnown('the raw email has no email headers');
	return await openParsedEmail(structure, reading);
}

/** After an error in this package, the email is still returned, with a warning. */
async function openAfterFault(
	error: unknown,
	known: Known,
	reading: Reading,
): Promise<OpenedEmail> {
	const kind = error instanceof Error ? error.name : typeof error;
	const reason = `of a fault in this node (${kind}), not in the email; please report it`;
	try {
		return await openKnownEmail(known(), reason, [], reading);
	} catch {
		return await openKnownEmail({}, reason, [], reading);
	}
}

/** The same email; but if a method fails, its result comes from an email that is opened in another way. */
function withFallback(
	opened: OpenedEmail,
	openOther: (error: unknown) => Promise<OpenedEmail>,
): OpenedEmail {
	async function safely<Result>(read: (email: OpenedEmail) => Promise<Result>): Promise<Result> {
		try {
			return await read(opened);
		} catch (error) {
			return await read(await openOther(error));
		}
	}
	return {
		...opened,
		usedCharset: async () => await safely(async (email) => await email.usedCharset()),
		listFiles: async () => await safely(async (email) => await email.listFiles()),
		read: async (options) => await safely(async (email) => await email.read(options)),
	};
}
