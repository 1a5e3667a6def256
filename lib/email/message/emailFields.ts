import type { Pace } from '../../basics';
import { parseAddresses, toAddresses } from './addresses';
import { readDate } from './date';
import { decodeWords } from '../mime/encodedWords';
import { firstValue, oneLine, type HeaderField } from '../mime/headerFields';
import { withoutInvisible } from '../mime/invisible';
import { toThread } from './thread';
import type { EmailAddress, EmailFields, KnownFields } from './headerTypes';

const CHARACTERS_BETWEEN_PAUSES = 10_000;

/** Reads the fields of an email's own header. */
export async function readEmailFields(header: HeaderField[], pace: Pace): Promise<EmailFields> {
	const known: Partial<KnownFields> = {
		from: [firstValue(header, 'from') ?? ''],
		to: filledValues(header, 'to'),
		cc: filledValues(header, 'cc'),
		replyTo: filledValues(header, 'reply-to'),
		subject: await decodedValue(header, 'subject', pace),
		date: readDate(firstValue(header, 'date') ?? ''),
		messageId: await decodedValue(header, 'message-id', pace),
		inReplyTo: await decodedValue(header, 'in-reply-to', pace),
		references: await decodedValue(header, 'references', pace),
	};
	return await toEmailFields(known, pace);
}

/** @param known from the header, or from other data of the service */
export async function toEmailFields(known: Partial<KnownFields>, pace: Pace): Promise<EmailFields> {
	const from = await readMailboxLists(known.from, pace);
	const to = await readMailboxLists(known.to, pace);
	const cc = await readMailboxLists(known.cc, pace);
	const replyTo = await readMailboxLists(known.replyTo, pace);
	const sender = from.find(({ address }) => address !== '') ?? from[0];
	return {
		from: sender ?? null,
		to,
		cc,
		subject: visibleLine(known.subject ?? ''),
		date: known.date ?? null,
		thread: toThread(known, replyTo),
	};
}

async function decodedValue(header: HeaderField[], name: string, pace: Pace): Promise<string> {
	const value = firstValue(header, name) ?? '';
	if (pace.spend(value.length / CHARACTERS_BETWEEN_PAUSES)) await pace.pause();
	return decodeWords(value);
}

/** The values of a field that may be repeated, without empty ones. */
function filledValues(header: HeaderField[], name: string): string[] {
	const named = header.filter((field) => field.name === name);
	return named.map(({ value }) => value).filter((value) => value !== '');
}

/** @param lists the text of address headers, or single mailboxes */
async function readMailboxLists(
	lists: ReadonlyArray<string | EmailAddress> = [],
	pace: Pace,
): Promise<EmailAddress[]> {
	const people: EmailAddress[] = [];
	for (const list of lists) {
		const isText = typeof list === 'string';
		if (isText && pace.spend(list.length / CHARACTERS_BETWEEN_PAUSES)) await pace.pause();
		const mailboxes = isText ? parseAddresses(list) : toAddresses([list]);
		for (const { name, address } of mailboxes) people.push({ name: visibleLine(name), address });
	}
	return people;
}

function visibleLine(written: string): string {
	return oneLine(withoutInvisible(written));
}
