import type { MethodResult } from 'mailauth/lib/parse-dkim-headers';

import type { SignedField } from '../../email/asSigned';
import { asciiDomain } from '../../lib/hosts';
import { isAligned, type Alignment } from '../dmarc';
import { organizationalDomain } from '../names';
import { withoutCommentsAndQuotes } from './email';
import type { ReportedAuthentication } from './result';

/** The results that a server added to an email. */
export interface Report {
	reported: ReportedAuthentication;
	/** Whether it proves the domain of From, by its author, position and content. */
	proves(sender: string, alignment: Alignment): boolean;
}

/** A server writes some hundred characters. */
const MAX_RESULTS = 8000;

/** An email passes only a few servers of one organization. */
const MAX_HOPS = 20;

/** The word before the name of the server that added a Received, at any position. */
const BY = /(?<![\w.-])by(?![\w.-])/gi;

/** RFC 8601, 2.7; other values are not shown. */
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
 * Reads the topmost Authentication-Results (RFC 8601). Senders can forge the ones below it.
 *
 * Even the topmost may be forged. It only counts if the user trusts the server that it names, and that server also added
 * every Received above it: then it was the last server that handled the email. A server that neither adds its results to
 * each email nor removes forged ones must not be trusted; an email does not show this.
 *
 * @param trusted names of servers
 * @returns null if there is none, or if it does not name a server
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

/** Some servers write the domain of From next to the result, others the domain of its organization. */
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
 * Whether a server, or another one of its organization, added a Received (RFC 5321, 4.4). Clients choose the greeting and
 * parts of addresses, which may contain brackets and quotes. So a field that can be read as naming two servers, or has
 * unmatched brackets or quotes, does not count.
 */
function isWrittenBy(server: string, received: string): boolean {
	if (received.length > MAX_RESULTS || received.match(BY)?.length !== 1) return false;
	const plain = withoutCommentsAndQuotes(received);
	if (plain === undefined || plain.includes(')')) return false;
	const host = asciiDomain(/(?:^|\s)by\s+([^\s;]+)/i.exec(plain)?.[1] ?? '');
	return host !== null && (host === server || isAligned(host, server, 'relaxed'));
}
