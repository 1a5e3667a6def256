import parseHeader, { type MethodResult } from 'mailauth/lib/parse-dkim-headers';

import { withoutComments } from '../../email/headerFields';
import type { ReportedAuthentication } from './authentication';
import { asciiDomain } from '../../lib/hosts';
import { isAligned, organizationalDomain } from './domains';
import type { WrittenField } from './emailText';

/** What a server wrote about an email, and what that proves. */
export interface Report {
	reported: ReportedAuthentication;
	/** Whether it proves the domain of From: by whom it was written, where it stands, and what it says. */
	proves(sender: string, alignment: 'relaxed' | 'strict'): boolean;
}

/** A server writes some hundred characters. */
const LONGEST_RESULTS = 8000;

/** Within one server or organization an email has a few. */
const MOST_HOPS = 20;

/** Put behind a field, it is lost where a comment has no end. */
const END = ';';

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
 * above it was written by that server, too: then whoever wrote it passed the email on last, as far as the user knows. A server
 * that neither writes its results into each email nor removes what others wrote in its name must not be trusted; this cannot be
 * told from an email.
 *
 * @param trusted names of servers
 * @returns null where there is none, or one without the name of a server
 */
export function readReport(
	fields: readonly WrittenField[],
	trusted: readonly string[],
): Report | null {
	const index = fields.findIndex(({ name }) => name === 'authentication-results');
	const field = fields[index];
	if (field === undefined || field.text.length > LONGEST_RESULTS) return null;
	const { parsed } = parseHeader(`Authentication-Results: ${field.value}`);
	// A version may follow the name.
	const server = asciiDomain((parsed.value ?? '').split(' ', 1).join());
	if (server === null) return null;
	const isTrusted = trusted.some((name) => name.trim().toLowerCase() === server);
	const hops = fields.slice(0, index).filter(({ name }) => name === 'received');
	const isItsOwn = () =>
		hops.length <= MOST_HOPS && hops.every(({ value }) => isWrittenBy(server, value));
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

function isOf({ header }: MethodResult, sender: string, alignment: 'relaxed' | 'strict'): boolean {
	const signer = header?.d ?? header?.i?.slice(header.i.lastIndexOf('@') + 1);
	const domain = signer === undefined ? null : asciiDomain(signer);
	return domain !== null && isAligned(domain, sender, alignment);
}

/**
 * Whether the `by` of a Received (RFC 5321, 4.4) names a server, or another of the same organization. Who hands an email over
 * may greet with blanks and brackets (`EHLO x by mx.example.test (`), which stand before the `by` of the server: a second one,
 * or a comment without an end, which could hide it, makes the field nobody's.
 */
function isWrittenBy(server: string, received: string): boolean {
	if (received.length > LONGEST_RESULTS) return false;
	const words = withoutComments(`${received} ${END}`).split(/\s+/);
	const [at, another] = words.flatMap((word, index) => (word.toLowerCase() === 'by' ? index : []));
	if (at === undefined || another !== undefined || words.at(-1) !== END) return false;
	const host = asciiDomain(words[at + 1] ?? '');
	return host !== null && (host === server || isAligned(host, server, 'relaxed'));
}
