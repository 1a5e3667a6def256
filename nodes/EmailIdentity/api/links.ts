/**
 * Finds the address of the next page in a `Link` header (RFC 8288, section 3).
 *
 * @param header all `Link` headers of the answer, joined by commas
 * @param base the address that answered, for relative links
 * @returns undefined when there is no link with `rel="next"`
 */
export function readNextLink(header: string | undefined, base: string): URL | undefined {
	for (const [, target = '', parameters = ''] of (header ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
		const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(parameters) ?? [];
		const relations = (quoted ?? bare ?? '').toLowerCase().split(/\s+/);
		if (relations.includes('next') && URL.canParse(target, base)) return new URL(target, base);
	}
	return undefined;
}
