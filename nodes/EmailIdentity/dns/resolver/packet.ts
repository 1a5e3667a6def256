import type { Answer, DecodedPacket, StringAnswer } from 'dns-packet';

import { toRecordName } from '../names';
import type { DnsAnswer, DnsRecordData, DnsRecordType } from './types';

/** What reads and writes messages; loaded with the first question. */
export type DnsPacket = typeof import('dns-packet');

/** One name and the type of its records. */
export interface Question<Type extends DnsRecordType = DnsRecordType> {
	/** In small letters, without the dot at its end. */
	name: string;
	type: Type;
}

/** What the DNS says of a name: facts, as opposed to failures. */
export type DnsFact<Type extends DnsRecordType = DnsRecordType> = Extract<
	DnsAnswer<Type>,
	{ status: 'found' | 'noData' | 'noSuchName' }
>;

/** What a resolver's message says; `seconds` tells how long it may be remembered, 0 for not at all. */
export type Reading<Type extends DnsRecordType = DnsRecordType> =
	| { kind: 'fact'; answer: DnsFact<Type>; seconds: number }
	/** The name stands for another one, of which the message says nothing. */
	| { kind: 'alias'; target: string; seconds: number }
	/** The resolver could not find out; what it says of that. */
	| { kind: 'failure'; says: string }
	/** It is no answer to the question. */
	| { kind: 'unreadable' };

/** The library reads the code of the answer, and its types do not tell. */
type Message = DecodedPacket & { rcode: string };

/** What a resolver may send its own servers' answers in: above it they are cut (EDNS, RFC 6891). */
const MAX_DATAGRAM = 4096;

/** No answer about mail has more. A name in each of them, made of pointers to pointers, costs a third of a millisecond. */
const MAX_RECORDS = 200;

/** How many names may stand for each other in a row. */
const MAX_ALIASES = 8;

/** Where in a message its numbers of records are (RFC 1035, section 4.1.1); each has two bytes. */
const RECORD_COUNTS = [4, 6, 8, 10];

/** With the highest bit set, a time to live means none (RFC 2181, section 8). */
const MAX_TIME_TO_LIVE = 2 ** 31 - 1;

/**
 * Writes a question as RFC 8484 has it in an address: with the ID 0, so that caches on the way know it again.
 *
 * @returns base64url
 */
export function encodeQuestion(
	{ name, type }: Question,
	{ encode, RECURSION_DESIRED }: DnsPacket,
): string {
	const message = encode({
		type: 'query',
		id: 0,
		flags: RECURSION_DESIRED,
		questions: [{ name, type }],
		additionals: [
			{
				type: 'OPT',
				name: '.',
				udpPayloadSize: MAX_DATAGRAM,
				extendedRcode: 0,
				ednsVersion: 0,
				flags: 0,
				flag_do: false,
				options: [],
			},
		],
	});
	return message.toString('base64url');
}

/** Reads what a resolver answered to a question: whatever the bytes are. */
export function readMessage<Type extends DnsRecordType>(
	body: Buffer,
	question: Question<Type>,
	{ decode }: DnsPacket,
): Reading<Type> {
	const message = decodeWhole(body, decode);
	if (message?.type !== 'response') return { kind: 'unreadable' };
	const { rcode } = message;
	const isFact = rcode === 'NOERROR' || rcode === 'NXDOMAIN';
	if (!isFact || hasExtendedCode(message)) {
		return { kind: 'failure', says: `answered ${isFact ? 'with an error' : rcode}` };
	}
	if (!isAbout(message, question)) return { kind: 'unreadable' };
	// A part of the records must not pass for all of them.
	if (message.flag_tc) return { kind: 'failure', says: 'answered in part only' };
	return readFact(message, question);
}

function readFact<Type extends DnsRecordType>(
	message: Message,
	{ name, type }: Question<Type>,
): Reading<Type> {
	const answers = (message.answers ?? []).filter(isOfInternet);
	const followed = followAliases(answers, name, type);
	if (followed === undefined) return { kind: 'failure', says: 'answered with aliases in a circle' };
	const { target, aliases } = followed;
	const negative = negativeSeconds(message);
	const seconds = Math.min(...aliases.map(timeToLive));
	if (message.rcode === 'NXDOMAIN') {
		const answer: DnsFact<Type> = { status: 'noSuchName' };
		return { kind: 'fact', answer, seconds: Math.min(seconds, negative ?? 0) };
	}
	const own = answers.filter(
		(record) => record.type === type && toRecordName(record.name) === target,
	);
	if (own.length > 0) {
		const records = own.map((record) => toRecordData(record, type));
		const least = Math.min(seconds, ...own.map(timeToLive));
		return { kind: 'fact', answer: { status: 'found', records }, seconds: least };
	}
	if (negative === undefined && target !== name) return { kind: 'alias', target, seconds };
	if (negative === undefined && isReferral(message)) {
		return { kind: 'failure', says: 'does not look names up' };
	}
	return {
		kind: 'fact',
		answer: { status: 'noData' },
		seconds: Math.min(seconds, negative ?? 0),
	};
}

/** @returns undefined where the bytes are no message, or end before it does */
function decodeWhole(body: Buffer, decode: DnsPacket['decode']): Message | undefined {
	if (!hasFewRecords(body)) return undefined;
	try {
		const message = decode(body) as Message;
		// Behind the end of the bytes the library reads nothing, and does not say so.
		return decode.bytes <= body.length ? message : undefined;
	} catch {
		return undefined;
	}
}

function hasFewRecords(body: Buffer): boolean {
	if (body.length < 12) return false;
	const records = RECORD_COUNTS.map((offset) => body.readUInt16BE(offset));
	return records.reduce((sum, count) => sum + count, 0) <= MAX_RECORDS;
}

function isAbout({ questions }: DecodedPacket, { name, type }: Question): boolean {
	const [asked, ...others] = questions ?? [];
	if (asked === undefined || others.length > 0) return false;
	return toRecordName(asked.name) === name && asked.type === type && asked.class === 'IN';
}

function isOfInternet(record: Answer): boolean {
	return record.type !== 'OPT' && record.class === 'IN';
}

/** The message's own code has four bits; eight more are beside it (RFC 6891, section 6.1.3). */
function hasExtendedCode({ additionals = [] }: DecodedPacket): boolean {
	return additionals.some((record) => record.type === 'OPT' && record.extendedRcode !== 0);
}

/** Its server names others to ask, and is none that asks them. */
function isReferral({ authorities = [] }: DecodedPacket): boolean {
	return authorities.some(({ type }) => type === 'NS');
}

/**
 * How long it may be remembered that there is nothing (RFC 2308, section 5).
 *
 * @returns undefined where the message does not say whose word that is
 */
function negativeSeconds({ authorities = [] }: DecodedPacket): number | undefined {
	const seconds = authorities.flatMap((record) =>
		record.type === 'SOA' ? [Math.min(timeToLive(record), record.data.minimum ?? 0)] : [],
	);
	return seconds.length > 0 ? Math.min(...seconds) : undefined;
}

function timeToLive(record: Answer): number {
	const seconds = record.type === 'OPT' ? 0 : (record.ttl ?? 0);
	return seconds > MAX_TIME_TO_LIVE ? 0 : seconds;
}

/**
 * Follows the aliases (CNAME) of a name within an answer, to the name that has the records.
 *
 * @returns that name, with the aliases on the way; undefined where they go in a circle, or too far
 */
function followAliases(
	answers: readonly Answer[],
	name: string,
	type: DnsRecordType,
): { target: string; aliases: StringAnswer[] } | undefined {
	// Who asks for the alias wants to see it, not where it leads.
	if (type === 'CNAME') return { target: name, aliases: [] };
	const byName = new Map(
		answers.filter(isAlias).map((record) => [toRecordName(record.name), record]),
	);
	const aliases: StringAnswer[] = [];
	let target = name;
	for (let alias = byName.get(target); alias !== undefined; alias = byName.get(target)) {
		if (aliases.length === MAX_ALIASES) return undefined;
		aliases.push(alias);
		target = toRecordName(alias.data);
	}
	return { target, aliases };
}

function isAlias(record: Answer): record is StringAnswer {
	return record.type === 'CNAME';
}

/** The data of a record as the library reads them, by type. */
type LibraryData = {
	[Type in DnsRecordType]: Extract<Answer, { type: Type; data: unknown }>['data'];
};

const READERS: { [Type in DnsRecordType]: (data: LibraryData[Type]) => DnsRecordData[Type] } = {
	A: (address) => address,
	AAAA: (address) => address,
	CNAME: toRecordName,
	MX: ({ preference = 0, exchange }) => ({ preference, exchange: toRecordName(exchange) }),
	NS: toRecordName,
	TXT: (texts) => Buffer.concat([texts].flat().map((text) => Buffer.from(text))).toString('latin1'),
};

function toRecordData<Type extends DnsRecordType>(record: Answer, type: Type): DnsRecordData[Type] {
	return READERS[type](('data' in record ? record.data : '') as LibraryData[Type]);
}
