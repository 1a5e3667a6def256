import type { Pace } from '../../basics';
import { parseAddresses, toAddresses } from './addresses';
import { readDate } from './date';
import { decodeWords, firstValue, oneLine } from '../mime/headerFields';
import { withoutInvisible } from '../mime/invisible';
import type { HeaderField } from '../mime/splitEmail';
import { toThread } from './thread';
import type { EmailAddress, EmailFields, KnownEmail } from '../types';

const CHARACTERS_BETWEEN_PAUSES = 10_000;

export async function readEmailFields(header: HeaderField[], pace: Pace): Promise<EmailFields> {
	const text = (name: string) => decodeWords(firstValue(header, name) ?? '');
	const lists = (name: string) =>
		header.filter((field) => field.name === name && field.value !== '').map(({ value }) => value);
	return await toEmailFields(
		{
			from: [firstValue(header, 'from') ?? ''],
			to: lists('to'),
			cc: lists('cc'),
			replyTo: lists('reply-to'),
			subject: text('subject'),
			date: readDate(firstValue(header, 'date') ?? ''),
			messageId: text('message-id'),
			inReplyTo: text('in-reply-to'),
			references: text('references'),
		},
		pace,
	);
}

export async function toEmailFields(known: Partial<KnownEmail>, pace: Pace): Promise<EmailFields> {
	const written: EmailAddress[][] = [];
	for (const lists of [known.from, known.to, known.cc, known.replyTo]) {
		written.push(await readAddresses(lists, pace));
	}
	const [from = [], to = [], cc = [], replyTo = []] = written.map((list) =>
		list.map(({ name, address }) => ({ name: visibleLine(name), address })),
	);
	return {
		from: from.find(({ address }) => address !== '') ?? from[0] ?? null,
		to,
		cc,
		subject: visibleLine(known.subject ?? ''),
		date: known.date ?? null,
		thread: toThread(known, replyTo),
	};
}

const visibleLine = (written: string): string => oneLine(withoutInvisible(written));

async function readAddresses(
	lists: Array<string | EmailAddress> = [],
	pace: Pace,
): Promise<EmailAddress[]> {
	const addresses: EmailAddress[] = [];
	for (const list of lists) {
		if (typeof list === 'string') {
			if (pace.isDue(list.length / CHARACTERS_BETWEEN_PAUSES)) await pace.pause();
			addresses.push(...parseAddresses(list));
		} else {
			addresses.push(...toAddresses([list]));
		}
	}
	return addresses;
}
