import { withoutCommentsAndQuotes, type WrittenField } from '../email';
import { asciiDomain } from '../basics';
import { isSameOrganization } from '../dns';
import { PROOF_LIMITS } from './limits';
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
 */
export function readReportedResults(
	fields: readonly WrittenField[],
	trusted: readonly string[],
	sender: string | null,
): ReportedResults {
	const index = fields.findIndex(({ name }) => name === 'authentication-results');
	const field = fields[index];
	if (field === undefined || field.text.length > PROOF_LIMITS.results) return NOTHING;
	// Comments and quoted strings may contain text that others chose, but nothing that counts here.
	const plain = withoutCommentsAndQuotes(field.value)?.replaceAll('"', '_');
	const server = asciiDomain(AUTHOR.exec(plain ?? '')?.[1] ?? '');
	if (plain === undefined || server === null) return NOTHING;
	const results = plain.split(';').slice(1).map(readResult);
	const isTrusted = trusted.some((name) => name.trim().toLowerCase() === server);
	const hops = fields.slice(0, index).filter(({ name }) => name === 'received');
	const isItsOwn =
		isTrusted &&
		hops.length <= PROOF_LIMITS.hops &&
		hops.every(({ value }) => value.length <= PROOF_LIMITS.results && isWrittenBy(server, value)) &&
		doubledFields(countFields(fields)).length === 0;
	const of = (method: string) => results.filter((result) => result.method === method);
	const dkim = of('dkim');
	const spf = of('spf').at(-1);
	const dmarc = of('dmarc').at(-1);
	const isAuthorProved = dmarc !== undefined && passes(dmarc) && isAbout(dmarc, sender);
	const signers = dkim
		.filter(passes)
		.map(({ properties }) => domainOf(properties.get('header.d') ?? properties.get('header.i')));
	const proved = [isAuthorProved ? sender : null, ...signers].filter((domain) => domain !== null);
	return {
		reported: {
			server,
			trusted: isTrusted,
			dkim: (dkim.find(passes) ?? dkim[0])?.result ?? null,
			spf: spf?.result ?? null,
			dmarc: dmarc?.result ?? null,
		},
		proved: isItsOwn ? proved : [],
	};
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
	const [result = '', ...properties] = value.split(/\s+/);
	return {
		method,
		result: RESULT.test(result.toLowerCase()) ? result.toLowerCase() : null,
		properties: new Map(properties.map(nameAndValue)),
	};
}

/** The case of a name does not count. */
function nameAndValue(text: string): [name: string, value: string] {
	const [name = '', ...value] = text.split('=');
	return [name.trim().toLowerCase(), value.join('=').trim()];
}

const passes = ({ result }: MethodResult): boolean => result === 'pass';

/** Some servers write the domain of From next to the result, others the domain of its organization, or nothing. */
function isAbout({ properties }: MethodResult, sender: string | null): boolean {
	const from = properties.get('header.from');
	return isSameOrganization(from === undefined ? sender : domainOf(from), sender);
}

const domainOf = (written = ''): string | null =>
	asciiDomain(written.slice(written.lastIndexOf('@') + 1));

/**
 * Whether a server, or another one of its organization, added a Received (RFC 5321, 4.4). Clients choose the greeting and
 * parts of addresses, which may contain brackets and quotes. So a field that can be read as naming two servers, or has
 * unmatched brackets or quotes, does not count.
 */
function isWrittenBy(server: string, received: string): boolean {
	if (received.match(BY)?.length !== 1) return false;
	const plain = withoutCommentsAndQuotes(received);
	if (plain === undefined || plain.includes(')')) return false;
	const host = asciiDomain(/(?:^|\s)by\s+([^\s;]+)/i.exec(plain)?.[1] ?? '');
	return host === server || isSameOrganization(host, server);
}
