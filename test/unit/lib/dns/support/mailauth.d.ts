/** The reference for the tree walk. */
declare module 'mailauth/lib/dmarc/get-dmarc-record' {
	type Lookup = (name: string) => Promise<Record<string, string> | false>;

	export function createRecordLookup(
		resolver: (name: string, type: string) => Promise<string[][]>,
	): Lookup;
	export function getOrgDomain(domain: string, lookup: Lookup): Promise<string>;
}
