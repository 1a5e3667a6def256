/**
 * One record: its name within the zone (`@` for the zone itself), its type, what it says as in a zone file, and its time
 * to live in seconds. Names in it are whole and end in a dot; a text is given as it is, several as a list.
 */
export type ZoneRecord = readonly [
	name: string,
	type: 'A' | 'AAAA' | 'CNAME' | 'MX' | 'NS' | 'TXT',
	data: string | readonly string[],
	seconds?: number,
];

/** The records of a domain, or that its server fails (SERVFAIL). */
export type Zone = readonly ZoneRecord[] | 'servfail';

/** Domain → what is in it. Of others nothing is known: they are refused (REFUSED). */
export type Zones = Readonly<Record<string, Zone>>;

/** Nothing is remembered. */
const NOT_REMEMBERED = 0;

/** What fits into one text of a record (RFC 1035, section 3.3), in bytes. */
const MAX_TEXT = 255;

/** The file of a zone (RFC 1035, section 5). */
export function zoneFile(domain: string, records: readonly ZoneRecord[]): string {
	const lines = records.map(([name, type, data, seconds = NOT_REMEMBERED]) =>
		[
			name,
			seconds,
			type,
			[data]
				.flat()
				.flatMap(type === 'TXT' ? quoted : asItIs)
				.join(' '),
		].join(' '),
	);
	return [
		`$ORIGIN ${domain}.`,
		`@ 0 SOA ns.${domain}. hostmaster.${domain}. 1 3600 600 86400 ${NOT_REMEMBERED}`,
		'@ 0 NS ns',
		...lines,
		'',
	].join('\n');
}

function asItIs(data: string): string[] {
	return [data];
}

/** A text in quotes, in several where it is longer than one can be. */
function quoted(text: string): string[] {
	const bytes = Buffer.from(text);
	const pieces = Array.from(
		{ length: Math.max(1, Math.ceil(bytes.length / MAX_TEXT)) },
		(_, piece) => bytes.subarray(piece * MAX_TEXT, (piece + 1) * MAX_TEXT),
	);
	return pieces.map((piece) => `"${[...piece].map(escaped).join('')}"`);
}

function escaped(byte: number): string {
	const character = String.fromCharCode(byte);
	return /[ !#-[\]-~]/.test(character) ? character : `\\${String(byte).padStart(3, '0')}`;
}
