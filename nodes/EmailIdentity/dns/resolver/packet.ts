import type { Answer, DecodedPacket, StringAnswer } from 'dns-packet';

import { toRecordName } from '../names';
import type { DnsAnswer, DnsRecordData, DnsRecordType } from './types';

/** Reads and writes messages; loaded with the first question. */
export type DnsPacket = typeof import('dns-packet');

export interface Question<Type extends DnsRecordType = DnsRecordType> {
	/** In lower case, without the dot at its end. */
	name: string;
	type: Type;
}

/** What a message says; undefined where it does not answer the question. */
export type Reading<Type extends DnsRecordType = DnsRecordType> =
	| {
			answer: Exclude<DnsAnswer<Type>, { reason: string }>;
			/** How long it may be remembered, 0 for not at all. */
			seconds: number;
	  }
	/** The resolver could not find out. */
	| { failure: string }
	| undefined;

/** The library reads the code of the answer, and its types do not tell. */
type Message = DecodedPacket & { rcode: string };

/** Resolvers that pass a question on by UDP cut longer answers (EDNS, RFC 6891). */
const MAX_DATAGRAM = 4096;

/** No answer about mail has more. A name in each of them, made of pointers to pointers, costs a third of a millisecond. */
const MAX_RECORDS = 200;

/** How many names may stand for each other in a row. */
const MAX_ALIASES = 8;

/** Where in a message its numbers of records are (RFC 1035, section 4.1.1); each has two bytes. */
const RECORD_COUNTS = [4, 6, 8, 10];

const HEADER_BYTES = 12;

/**
 * Writes a question as RFC 8484 has it in a URL: with the ID 0, so that caches on the way recognize it.
 *
 * @returns base64url
 */
export function encodeQuestion(
	{ name, type }: Question,
	{ encode, RECURSION_DESIRED }: DnsPacket,
): string {
	const edns = { udpPayloadSize: MAX_DATAGRAM, extendedRcode: 0, ednsVersion: 0, flags: 0 };
	return encode({
		type: 'query',
		id: 0,
		flags: RECURSION_DESIRED,
		questions: [{ name, type }],
		additionals: [{ type: 'OPT', name: '.', ...edns, flag_do: false, options: [] }],
	}).toString('base64url');
}

/** Reads what a resolver answered to a question: whatever the bytes are. */
export function readMessage<Type extends DnsRecordType>(
	body: Buffer,
	question: Question<Type>,
	{ decode }: DnsPacket,
): Reading<Type> {
	const message = decodeWhole(body, decode);
	if (message?.type !== 'response') return undefined;
	const { rcode } = message;
	if (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN') return { failure: `answered ${rcode}` };
	if (!isAbout(message, question)) return undefined;
	// A part of the records must not pass for all of them.
	if (message.flag_tc) return { failure: 'answered only in part' };
	return readFact(message, question);
}

function readFact<Type extends DnsRecordType>(
	{ rcode, answers = [], authorities = [] }: Message,
	{ name, type }: Question<Type>,
): Reading<Type> {
	// A question for the alias itself is about the alias, not about its target.
	const aliases = type === 'CNAME' ? [] : aliasesOf(name, answers);
	if (aliases.length > MAX_ALIASES) return { failure: 'answered with a loop of aliases' };
	const target = toRecordName(aliases.at(-1)?.data ?? name);
	const own = answers.filter(
		(record) => record.type === type && toRecordName(record.name) === target,
	);
	const isFound = rcode === 'NOERROR' && own.length > 0;
	const negative = negativeSeconds(authorities);
	// Without the word of the domain it is a referral, or an alias that was not followed.
	const isLeftOver = aliases.length > 0 || authorities.some((record) => record.type === 'NS');
	if (rcode === 'NOERROR' && !isFound && negative === undefined && isLeftOver) {
		return { failure: 'does not resolve names' };
	}
	const seconds = Math.min(
		...aliases.map(timeToLive),
		...(isFound ? own.map(timeToLive) : [negative ?? 0]),
	);
	if (isFound) {
		return {
			answer: { status: 'found', records: own.map((record) => toRecordData(record, type)) },
			seconds,
		};
	}
	return { answer: { status: rcode === 'NXDOMAIN' ? 'noSuchName' : 'noData' }, seconds };
}

/** @returns undefined where the bytes are no message, or end before it does */
function decodeWhole(body: Buffer, decode: DnsPacket['decode']): Message | undefined {
	if (body.length < HEADER_BYTES) return undefined;
	const records = RECORD_COUNTS.reduce((sum, offset) => sum + body.readUInt16BE(offset), 0);
	if (records > MAX_RECORDS) return undefined;
	try {
		const message = decode(body) as Message;
		// Behind the end of the bytes the library reads nothing, and does not say so.
		return decode.bytes <= body.length ? message : undefined;
	} catch {
		return undefined;
	}
}

function isAbout({ questions }: DecodedPacket, { name, type }: Question): boolean {
	const [asked, ...others] = questions ?? [];
	if (asked === undefined || others.length > 0) return false;
	return toRecordName(asked.name) === name && asked.type === type;
}

/**
 * How long it may be remembered that there is nothing (RFC 2308, section 5).
 *
 * @returns undefined where the message does not say whose word that is
 */
function negativeSeconds(authorities: readonly Answer[]): number | undefined {
	const seconds = authorities.flatMap((record) =>
		record.type === 'SOA' ? [Math.min(timeToLive(record), record.data.minimum ?? 0)] : [],
	);
	return seconds.length > 0 ? Math.min(...seconds) : undefined;
}

function timeToLive(record: Answer): number {
	return record.type === 'OPT' ? 0 : (record.ttl ?? 0);
}

/** The aliases (CNAME) of a name within an answer, in order; in a circle one more than may be. */
function aliasesOf(name: string, answers: readonly Answer[]): StringAnswer[] {
	const byName = new Map(
		answers
			.filter((record): record is StringAnswer => record.type === 'CNAME')
			.map((record) => [toRecordName(record.name), record]),
	);
	const aliases: StringAnswer[] = [];
	let alias = byName.get(name);
	while (alias !== undefined && aliases.length <= MAX_ALIASES) {
		aliases.push(alias);
		alias = byName.get(toRecordName(alias.data));
	}
	return aliases;
}

/** The data of a record as the library reads them. */
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
