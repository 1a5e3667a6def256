/** The public suffix list: the names below which anyone can register a domain, such as `com`, `co.uk` and `github.io`. */
export class PublicSuffixes {
	constructor(private readonly library: typeof import('tldts')) {}

	/** The registered domain of a name; null for a public suffix and for an IP address. */
	organizationOf(domain: string): string | null {
		return this.library.getDomain(domain, { allowPrivateDomains: true });
	}

	/** @param one,other null if unknown: then they are not the same */
	isSameOrganization(one: string | null, other: string | null): boolean {
		if (one === null || other === null) return false;
		// Some registries send emails, such as gov.in. Below a private suffix, anyone may add the name of a key.
		if (one === other && this.library.parse(one, { allowPrivateDomains: true }).isIcann === true) {
			return true;
		}
		const organization = this.organizationOf(one);
		return organization !== null && organization === this.organizationOf(other);
	}
}

let loaded: PublicSuffixes | undefined;

/** The list is large, so it is loaded when a domain is first compared. */
export async function loadPublicSuffixes(): Promise<PublicSuffixes> {
	loaded ??= new PublicSuffixes(await import('tldts'));
	return loaded;
}
