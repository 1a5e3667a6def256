/** The used parts of `mailauth`, which has types only for its top-level functions; these read emails from streams. */

declare module 'mailauth/lib/dkim/dkim-verifier' {
	/** A header field; its key in lower case, its line without the last line end. */
	export interface HeaderRow {
		key: string;
		casedKey: string;
		line: Buffer;
	}

	interface Status {
		/** RFC 8601. */
		result: 'fail' | 'neutral' | 'none' | 'pass' | 'policy' | 'temperror';
		comment?: string;
		policy?: Record<string, string>;
		/** The key says that it is only being tested. */
		testing?: boolean;
	}

	interface SignatureHeader {
		bodyCanon: string;
		hashAlgo: string;
		/** l=; `''` for none. */
		maxBodyLength: number | '';
		bodyHashKey?: string;
	}

	export class DkimVerifier {
		constructor(options: {
			resolver(name: string): Promise<string[][]>;
			/** Of RSA keys. */
			minBitLength: number;
			/** Follow RFC 6376, 8301 and 8463 strictly. */
			strict: boolean;
			curTime: Date;
		});
		headers: { parsed: HeaderRow[] };
		/** One for each DKIM signature passed to `messageHeaders`. */
		readonly signatureHeaders: SignatureHeader[];
		readonly bodyHashes: Map<string, unknown>;
		/** In the same order, after `finalChunk`. */
		readonly results: Array<{ status: Status }>;
		messageHeaders(headers: { parsed: HeaderRow[] }): Promise<void>;
		addBodyHash(canonicalization: string, algorithm: string, length: number | ''): string;
		/** @param chunk of the body, its line ends CRLF */
		nextChunk(chunk: Buffer): Promise<void>;
		/** Checks all signatures, one after another. */
		finalChunk(): Promise<void>;
		protected verifySignature(header: unknown): Promise<unknown>;
	}
}

declare module 'mailauth/lib/parse-dkim-headers' {
	/** One method of an Authentication-Results with its properties, such as `header.d`. */
	export interface MethodResult {
		value: string;
		header?: Record<string, string>;
	}

	interface AuthenticationResults {
		/** The name of the server. */
		value?: string;
		dkim?: MethodResult[];
		spf?: MethodResult;
		dmarc?: MethodResult;
	}

	/** @param line an Authentication-Results with its name */
	function parseHeader(line: string): { parsed: AuthenticationResults };
	/** Tags by name (RFC 6376, 3.2), case-sensitive; the library converts `t`, `x`, `l` and `v` to numbers. */
	function parseHeader(
		line: string,
		options: { strict: true },
	): { parsed: Record<string, { value: number | string } | undefined> };
	export default parseHeader;
}
