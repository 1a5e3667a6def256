import { withoutCommentsAndQuotes, type WrittenField } from '../email';
import { asciiDomain, type PublicSuffixes } from '../dns';
import { PROOF_LIMITS } from './proofLimits';
import { countFields, doubledFields } from './coverage';

export interface ReportedAuthentication {
	/** Its name (authserv-id). */
	server: string;
	/** By the user; otherwise it does not count. */
	trusted: boolean;
	dkim: string | null;
	spf: string | null;
	dmarc: string | null;
}

export interface ReportedResults {
	reported: ReportedAuthentication | null;
	/** The domains that it proves: those that signed, and that of From if DMARC passed. */
	proved: string[];
}

const NOTHING: ReportedResults = { reported: null, proved: [] };

/** The server that added the results, and the version of their format (RFC 8601, 2.2). Comments are removed before. */
const AUTHOR = /^ *([^\s;]+)(?: +\d+)? *(?:;|$)/;

/** The word before the name of the server that added a Received, at any position. */
const BY = /(?<![\w.-])by(?![\w.-])/gi;

/** RFC 8601, 2.7; other values are not shown. */
const RESULT = /^(?:fail|hardfail|neutral|none|pass|permerror|policy|softfail|temperror)$/;

/**
 * Reads the topmost Authentication-Results (RFC 8601). Senders can forge those below it, and even the topmost: it only counts
 * if the user trusts the server that it names, and that server also added every Received above it. A server that neither
 * adds its results to each email nor removes forged ones must not be trusted; an email does not show this.
 *
 * @param sender the domain of From; null if unknown
 */
export function readReportedResults(
	fields: readonly WrittenField[],
	trusted: readonly string[],
	sender: string | null,
	suffixes: PublicSuffixes,
): ReportedResults {
	const index = fields.findIndex(({ name }) => name === 'authentication-results');
	const field = fields[index];
	const report = field === undefined ? undefined : readResultsOfServer(field);
	if (report === undefined) return NOTHING;
	const { server, results } = report;
	const isTrusted = trusted.some((name) => name.trim().toLowerCase() === server);
	const reported = {
		server,
		trusted: isTrusted,
		dkim: resultOfDkim(results),
		spf: lastOf(results, 'spf')?.result ?? null,
		dmarc: lastOf(results, 'dmarc')?.result ?? null,
	};
	const counts =
		isTrusted &&
		isAddedBy(server, fields.slice(0, index), suffixes) &&
		doubledFields(countFields(fields)).length === 0;
	if (!counts) return { reported, proved: [] };
	return { reported, proved: provedBy(results, sender, suffixes) };
}

interface Report {
	/** Its name, in ASCII. */
	server: string;
	/** In the order of the field. */
	results: MethodResult[];
}

/** Comments and quoted strings may contain text that others chose, but nothing that counts here. */
function readResultsOfServer({ text, value }: WrittenField): Report | undefined {
	if (text.length > PROOF_LIMITS.results) return undefined;
	const plain = withoutCommentsAndQuotes(value)?.replaceAll('"', '_');
	if (plain === undefined) return undefined;
	const server = asciiDomain(AUTHOR.exec(plain)?.[1] ?? '');
	if (server === null) return undefined;
	const [, ...written] = plain.split(';');
	return { server, results: written.map(readResult) };
}

/** A signature that passed, or else the first one. */
function resultOfDkim(results: readonly MethodResult[]): string | null {
	const ofDkim = results.filter(({ method }) => method === 'dkim');
	const shown = ofDkim.find(passes) ?? ofDkim[0];
	return shown?.result ?? null;
}

/** Whether a server, or another one of its organization, added each Received above its results. */
function isAddedBy(
	server: string,
	above: readonly WrittenField[],
	suffixes: PublicSuffixes,
): boolean {
	const hops = above.filter(({ name }) => name === 'received');
	if (hops.length > PROOF_LIMITS.hops) return false;
	for (const { value } of hops) {
		if (value.length > PROOF_LIMITS.results) return false;
		if (!isWrittenBy(server, value, suffixes)) return false;
	}
	return true;
}

/** The domains of From, if DMARC passed, and of the signatures that passed. */
function provedBy(
	results: readonly MethodResult[],
	sender: string | null,
	suffixes: PublicSuffixes,
): string[] {
	const proved: string[] = [];
	const dmarc = lastOf(results, 'dmarc');
	const isSenderProved = dmarc !== undefined && passes(dmarc) && isAbout(dmarc, sender, suffixes);
	if (isSenderProved && sender !== null) proved.push(sender);
	for (const result of results) {
		if (result.method !== 'dkim' || !passes(result)) continue;
		const { properties } = result;
		const signer = domainOf(properties.get('header.d') ?? properties.get('header.i') ?? '');
		if (signer !== null) proved.push(signer);
	}
	return proved;
}

interface MethodResult {
	method: string;
	/** Null if unknown. */
	result: string | null;
	/** By their names, such as `header.d`. */
	properties: ReadonlyMap<string, string>;
}

/** @param written `dkim=pass header.d=example.com` (RFC 8601, 2.2) */
function readResult(written: string): MethodResult {
	const [method, value] = nameAndValue(written);
	const [word = '', ...properties] = value.split(/\s+/);
	const result = word.toLowerCase();
	return {
		method,
		result: RESULT.test(result) ? result : null,
		properties: new Map(properties.map(nameAndValue)),
	};
}

/** The case of a name does not count. */
function nameAndValue(text: string): [name: string, value: string] {
	const [name = '', ...value] = text.split('=');
	return [name.trim().toLowerCase(), value.join('=').trim()];
}

function passes({ result }: MethodResult): boolean {
	return result === 'pass';
}

function lastOf(results: readonly MethodResult[], method: string): MethodResult | undefined {
	return results.findLast((result) => result.method === method);
}

/** Some servers write the domain of From next to the result, others the domain of its organization, or nothing. */
function isAbout(
	{ properties }: MethodResult,
	sender: string | null,
	suffixes: PublicSuffixes,
): boolean {
	const from = properties.get('header.from');
	const about = from === undefined ? sender : domainOf(from);
	return suffixes.isSameOrganization(about, sender);
}

/** @param written a domain, or an address */
function domainOf(written: string): string | null {
	return asciiDomain(written.slice(written.lastIndexOf('@') + 1));
}

/**
 * Whether a server, or another one of its organization, added a Received (RFC 5321, 4.4).
 *
 * Clients choose the greeting and parts of addresses, which the server copies into the field. A stranger who greets as below makes another
 * server seem to be the trusted one to whoever takes the first `by`. So a field that can be read as naming two servers, or has unmatched
 * brackets or quotes, does not count.
 *
 * @example `from x by mx.trusted.example (1.2.3.4) by mx.another.example`, for the greeting `x by mx.trusted.example`
 */
function isWrittenBy(server: string, received: string, suffixes: PublicSuffixes): boolean {
	if (received.match(BY)?.length !== 1) return false;
	const plain = withoutCommentsAndQuotes(received);
	if (plain === undefined || plain.includes(')')) return false;
	const [, written = ''] = /(?:^|\s)by\s+([^\s;]+)/i.exec(plain) ?? [];
	const host = asciiDomain(written);
	return host === server || suffixes.isSameOrganization(host, server);
}
