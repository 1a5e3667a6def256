import type { MethodResult } from 'mailauth/lib/parse-dkim-headers';

import type { SignedField } from '../../email/asSigned';
import { asciiDomain } from '../../lib/hosts';
import { isAligned, type Alignment } from '../dmarc';
import { organizationalDomain } from '../names';
import { withoutCommentsAndQuotes } from './email';
import type { ReportedAuthentication } from './result';

/** What a server wrote about an email, and what that proves. */
export interface Report {
	reported: ReportedAuthentication;
	/** Whether it proves the domain of From: by whom it was written, where it stands, and what it says. */
	proves(sender: string, alignment: Alignment): boolean;
}

/** A server writes some hundred characters. */
const MAX_RESULTS = 8000;

/** Within one server or organization an email has a few. */
const MAX_HOPS = 20;

/** The word that stands before the server which wrote a Received, wherever it may be read. */
const BY = /(?<![\w.-])by(?![\w.-])/gi;

/** RFC 8601, 2.7; whatever else is written there is not repeated. */
const RESULTS: ReadonlySet<string> = new Set([
	'fail',
	'hardfail',
	'neutral',
	'none',
	'pass',
	'permerror',
	'policy',
	'softfail',
	'temperror',
]);

/**
 * Reads the topmost Authentication-Results (RFC 8601). Those below it are nobody's: a sender can write any.
 *
 * Even the topmost may be the sender's. It counts only where the user trusts the server that it names, and every Received
 * above it was written by that server, too: then the server that wrote it passed the email on last, as far as the user knows. A server
 * that neither writes its results into each email nor removes what others wrote in its name must not be trusted; this cannot be
 * told from an email.
 *
 * @param trusted names of servers
 * @returns null where there is none, or one without the name of a server
 */
export async function readReport(
	fields: readonly SignedField[],
	trusted: readonly string[],
): Promise<Report | null> {
	const index = fields.findIndex(({ name }) => name === 'authentication-results');
	const field = fields[index];
	if (field === undefined || field.text.length > MAX_RESULTS) return null;
	const { default: parseHeader } = await import('mailauth/lib/parse-dkim-headers');
	const { parsed } = parseHeader(`Authentication-Results: ${field.value}`);
	// A version may follow the name.
	const server = asciiDomain((parsed.value ?? '').split(' ', 1).join());
	if (server === null) return null;
	const isTrusted = trusted.some((name) => name.trim().toLowerCase() === server);
	const hops = fields.slice(0, index).filter(({ name }) => name === 'received');
	const isItsOwn = () =>
		hops.length <= MAX_HOPS && hops.every(({ value }) => isWrittenBy(server, value));
	const { dkim = [], spf, dmarc } = parsed;
	return {
		reported: {
			server,
			trusted: isTrusted,
			dkim: resultOf(dkim.find(passes) ?? dkim[0]),
			spf: resultOf(spf),
			dmarc: resultOf(dmarc),
		},
		proves: (sender, alignment) =>
			isTrusted &&
			isItsOwn() &&
			organizationalDomain(sender) !== null &&
			((dmarc !== undefined && passes(dmarc) && isAbout(dmarc, sender)) ||
				dkim.some((result) => passes(result) && isOf(result, sender, alignment))),
	};
}

function resultOf(result: MethodResult | undefined): string | null {
	const written = result?.value.toLowerCase() ?? '';
	return RESULTS.has(written) ? written : null;
}

function passes(result: MethodResult): boolean {
	return resultOf(result) === 'pass';
}

/** Some servers write the domain of From beside the result, some that of its organization. */
function isAbout({ header }: MethodResult, sender: string): boolean {
	const written = header?.from;
	if (written === undefined) return true;
	const domain = asciiDomain(written.slice(written.lastIndexOf('@') + 1));
	return domain !== null && isAligned(domain, sender, 'relaxed');
}

function isOf({ header }: MethodResult, sender: string, alignment: Alignment): boolean {
	const signer = header?.d ?? header?.i?.slice(header.i.lastIndexOf('@') + 1);
	const domain = signer === undefined ? null : asciiDomain(signer);
	return domain !== null && isAligned(domain, sender, alignment);
}

/**
 * Whether a Received (RFC 5321, 4.4) was written by a server, or by another of its organization. A client chooses its greeting and
 * parts of addresses, with brackets and quotes in them. So a field that names two servers in any reading, or whose brackets and
 * quotes do not match, was written by nobody.
 */
function isWrittenBy(server: string, received: string): boolean {
	if (received.length > MAX_RESULTS || received.match(BY)?.length !== 1) return false;
	const plain = withoutCommentsAndQuotes(received);
	if (plain === undefined || plain.includes(')')) return false;
	const host = asciiDomain(/(?:^|\s)by\s+([^\s;]+)/i.exec(plain)?.[1] ?? '');
	return host !== null && (host === server || isAligned(host, server, 'relaxed'));
}
