/** The reference for policies and alignment (RFC 9989). */
declare module 'mailauth/lib/dmarc/verify' {
	interface Evaluation {
		/** Undefined without a record that counts. */
		policy?: string;
		alignment?: { dkim: { result?: string } };
	}

	function verifyDmarc(options: {
		headerFrom: string[];
		dkimDomains: string[];
		resolver(name: string, type: string): Promise<string[][]>;
	}): Promise<Evaluation>;
	export default verifyDmarc;
}
