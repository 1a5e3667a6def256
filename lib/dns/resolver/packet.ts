import type { Answer, DecodedPacket, StringAnswer } from 'dns-packet';

import { toRecordName } from '../domainNames';

export type DnsRecordType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'NS' | 'TXT';

export interface Question {
	name: string;
	type: DnsRecordType;
}

/** The first three are facts about a domain. */
export type DnsAnswer =
	/** Records as text. Names are in lower case, without the trailing dot; MX: `10 mail.example.com`, or `0 .` (RFC 7505). */
	| { status: 'found'; records: readonly string[] }
	/** The name exists, without records of this type (NODATA, RFC 2308). */
	| { status: 'noData' }
	/** There is no such name (NXDOMAIN). */
	| { status: 'noSuchName' }
	/** No resolver could be reached, or none could resolve the name (SERVFAIL, REFUSED …). */
	| { status: 'failed'; reason: string };

export interface LookedUp {
	answer: DnsAnswer;
	/** How long the answer may be cached. */
	seconds: number;
}

/** Why a resolver's message is no answer: follows the resolver's name. */
interface Unanswered {
	failure: string;
}

/** Reads and writes messages; loaded with the first query. */
type DnsPacket = typeof import('dns-packet');

/** The types of the library lack `rcode`. */
type Message = DecodedPacket & { rcode: string };

/** Resolvers that forward a query by UDP truncate longer answers (EDNS, RFC 6891). */
const MAX_DATAGRAM = 4096;

/**
 * More than any answer about mail has. In a DNS message, the rest of a name can be a pointer to another name, which ends with a pointer again:
 * so a message of 64 KB from a stranger's name server can have thousands of names that take a third of a millisecond each.
 */
const MAX_RECORDS = 200;

/** A stranger's name server can answer with a circle of aliases, or with a chain that has no end. */
const MAX_ALIASES = 8;

/** Encodes a query as in RFC 8484: in base64url, with the ID 0, so that HTTP caches recognize it. */
export function encodeQuestion(
	question: Question,
	{ encode, RECURSION_DESIRED }: DnsPacket,
): string {
	const edns = { udpPayloadSize: MAX_DATAGRAM, extendedRcode: 0, ednsVersion: 0, flags: 0 };
	return encode({
		type: 'query',
		id: 0,
		flags: RECURSION_DESIRED,
		questions: [question],
		additionals: [{ type: 'OPT', name: '.', ...edns, flag_do: false, options: [] }],
	}).toString('base64url');
}

/** Reads a resolver's answer; accepts any bytes. Undefined if the message does not answer the query. */
export function readDnsMessage(
	body: Buffer,
	question: Question,
	{ decode }: DnsPacket,
): LookedUp | Unanswered | undefined {
	const message = decodeWhole(body, decode);
	if (message?.type !== 'response') return undefined;
	const { rcode } = message;
	if (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN') return { failure: `answered ${rcode}` };
	const [asked, ...others] = message.questions ?? [];
	const isAsked = asked?.type === question.type && toRecordName(asked.name) === question.name;
	if (!isAsked || others.length > 0) return undefined;
	if (message.flag_tc) return { failure: 'answered only in part' };
	return readFact(message, question);
}

function readFact(
	{ rcode, answers = [], authorities = [] }: Message,
	{ name, type }: Question,
): LookedUp | Unanswered {
	// A CNAME query is about the alias, not its target.
	const aliases = type === 'CNAME' ? [] : aliasesOf(name, answers);
	const target = toRecordName(aliases.at(-1)?.data ?? name);
	const ofType = answers.filter((record) => record.type === type);
	const own = ofType.filter((record) => toRecordName(record.name) === target);
	if (rcode === 'NOERROR' && own.length > 0) {
		const records = own.map(recordText);
		const seconds = Math.min(...[...aliases, ...own].map(timeToLive));
		return { answer: { status: 'found', records }, seconds };
	}
	const negative = authorities.flatMap(negativeTimeToLive);
	// Without an SOA record it is a referral, or an alias that was not followed (RFC 2308, section 2.2).
	const isLeftOver = aliases.length > 0 || authorities.some((record) => record.type === 'NS');
	if (rcode === 'NOERROR' && negative.length === 0 && isLeftOver) {
		return { failure: 'does not resolve names' };
	}
	const status = rcode === 'NXDOMAIN' ? 'noSuchName' : 'noData';
	if (negative.length === 0) return { answer: { status }, seconds: 0 };
	return { answer: { status }, seconds: Math.min(...aliases.map(timeToLive), ...negative) };
}

/** How long a negative answer may be cached (RFC 2308, section 5); nothing if the record does not say it. */
function negativeTimeToLive(record: Answer): number[] {
	if (record.type !== 'SOA') return [];
	return [Math.min(timeToLive(record), record.data.minimum ?? 0)];
}

/** @returns undefined if the bytes are not a complete message */
function decodeWhole(body: Buffer, decode: DnsPacket['decode']): Message | undefined {
	if (body.length < 12) return undefined;
	// The record counts (RFC 1035, section 4.1.1).
	const records = [4, 6, 8, 10].reduce((sum, offset) => sum + body.readUInt16BE(offset), 0);
	if (records > MAX_RECORDS) return undefined;
	try {
		const message = decode(body) as Message;
		// The library does not report reads past the end of the bytes.
		return decode.bytes <= body.length ? message : undefined;
	} catch {
		return undefined;
	}
}

function timeToLive(record: Answer): number {
	if (record.type === 'OPT') return 0;
	return record.ttl ?? 0;
}

function aliasesOf(name: string, answers: readonly Answer[]): StringAnswer[] {
	const byName = new Map<string, StringAnswer>();
	for (const record of answers) {
		if (record.type === 'CNAME') byName.set(toRecordName(record.name), record);
	}
	const aliases: StringAnswer[] = [];
	let alias = byName.get(name);
	while (alias !== undefined && aliases.length < MAX_ALIASES) {
		aliases.push(alias);
		alias = byName.get(toRecordName(alias.data));
	}
	return aliases;
}

function recordText(record: Answer): string {
	if (record.type === 'MX') {
		const { preference = 0, exchange } = record.data;
		return `${preference} ${toRecordName(exchange) || '.'}`;
	}
	if (record.type === 'TXT') {
		const strings = [record.data].flat().map((text) => Buffer.from(text));
		return Buffer.concat(strings).toString();
	}
	return toRecordName('data' in record ? String(record.data) : '');
}
