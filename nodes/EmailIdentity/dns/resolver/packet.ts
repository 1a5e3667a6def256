import type { Answer, DecodedPacket, StringAnswer } from 'dns-packet';

import { toRecordName } from '../names';
import type { DnsAnswer, DnsRecordData, DnsRecordType } from './types';

/** Reads and writes messages; loaded with the first query. */
export type DnsPacket = typeof import('dns-packet');

export interface Question<Type extends DnsRecordType = DnsRecordType> {
	/** In lower case, without the trailing dot. */
	name: string;
	type: Type;
}

/** The content of a message; undefined if it does not answer the query. */
export type Reading<Type extends DnsRecordType = DnsRecordType> =
	| {
			answer: Exclude<DnsAnswer<Type>, { reason: string }>;
			/** How long it may be cached; 0 for not at all. */
			seconds: number;
	  }
	/** The resolver found no answer. */
	| { failure: string }
	| undefined;

/** The types of the library lack the response code. */
type Message = DecodedPacket & { rcode: string };

/** Resolvers that forward a query by UDP truncate longer answers (EDNS, RFC 6891). */
const MAX_DATAGRAM = 4096;

/** More than any answer about mail has. A name made of nested pointers takes a third of a millisecond. */
const MAX_RECORDS = 200;

/** Maximum length of a chain of aliases. */
const MAX_ALIASES = 8;

/** Offsets of the record counts in a message (RFC 1035, section 4.1.1); each has two bytes. */
const RECORD_COUNTS = [4, 6, 8, 10];

const HEADER_BYTES = 12;

/**
 * Encodes a query for a URL as in RFC 8484: with the ID 0, so that HTTP caches recognize it.
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

/** Reads a resolver's answer to a query; accepts any bytes. */
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
	// Truncated answers are incomplete.
	if (message.flag_tc) return { failure: 'answered only in part' };
	return readFact(message, question);
}

function readFact<Type extends DnsRecordType>(
	{ rcode, answers = [], authorities = [] }: Message,
	{ name, type }: Question<Type>,
): Reading<Type> {
	// A CNAME query is about the alias, not its target.
	const aliases = type === 'CNAME' ? [] : aliasesOf(name, answers);
	if (aliases.length > MAX_ALIASES) return { failure: 'answered with a loop of aliases' };
	const target = toRecordName(aliases.at(-1)?.data ?? name);
	const own = answers.filter(
		(record) => record.type === type && toRecordName(record.name) === target,
	);
	const isFound = rcode === 'NOERROR' && own.length > 0;
	const negative = negativeSeconds(authorities);
	// Without an SOA record it is a referral, or an alias that was not followed.
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

/** @returns undefined if the bytes are not a complete message */
function decodeWhole(body: Buffer, decode: DnsPacket['decode']): Message | undefined {
	if (body.length < HEADER_BYTES) return undefined;
	const records = RECORD_COUNTS.reduce((sum, offset) => sum + body.readUInt16BE(offset), 0);
	if (records > MAX_RECORDS) return undefined;
	try {
		const message = decode(body) as Message;
		// The library does not report reads past the end of the bytes.
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
 * How long a negative answer may be cached (RFC 2308, section 5).
 *
 * @returns undefined if the message has no SOA record
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

/** The aliases (CNAME) of a name in an answer, in order; one more than allowed in a loop. */
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

/** Record data as read by the library. */
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
