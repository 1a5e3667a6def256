/** What is used of `mailauth`, which has types for its outermost functions only; they read emails from streams. */

declare module 'mailauth/lib/dkim/dkim-verifier' {
	/** A header field; its key in lower case, its line without the last line end. */
	export interface HeaderRow {
		key: string;
		casedKey: string;
		line: Buffer;
	}

	/** What RFC 8601 calls a result. */
	interface Status {
		result: 'fail' | 'neutral' | 'none' | 'pass' | 'policy' | 'temperror';
		comment?: string;
		policy?: Record<string, string>;
		/** The key says that it is only being tested. */
		testing?: boolean;
	}

	interface SignatureHeader {
		bodyCanon: string;
		hashAlgo: string;
		/** What l= says; `''` where it says nothing. */
		maxBodyLength: number | '';
		bodyHashKey?: string;
	}

	export class DkimVerifier {
		constructor(options: {
			resolver(name: string): Promise<string[][]>;
			/** Of RSA keys. */
			minBitLength: number;
			/** As RFC 6376, 8301 and 8463 have it, instead of what is usually forgiven. */
			strict: boolean;
			curTime: Date;
		});
		headers: { parsed: HeaderRow[] };
		/** One for each of the DKIM signatures that `messageHeaders` was given. */
		readonly signatureHeaders: SignatureHeader[];
		readonly bodyHashes: Map<string, unknown>;
		/** As many, in the same order, after `finalChunk`. */
		readonly results: Array<{ status: Status }>;
		messageHeaders(headers: { parsed: HeaderRow[] }): Promise<void>;
		addBodyHash(canonicalization: string, algorithm: string, length: number | ''): string;
		/** @param chunk of the body, its line ends CRLF */
		nextChunk(chunk: Buffer): Promise<void>;
		/** Checks all signatures, one after the other. */
		finalChunk(): Promise<void>;
		protected verifySignature(header: unknown): Promise<unknown>;
	}
}

declare module 'mailauth/lib/parse-dkim-headers' {
	/** The tags of a list by name (RFC 6376, 3.2); numbers where the library makes them of `t`, `x`, `l` and `v`. */
	interface TagList {
		parsed: Record<string, { value: number | string } | undefined>;
		tags: Array<{ name: string; value: string }>;
		syntaxErrors: string[];
	}

	/** One method of an Authentication-Results with its properties, such as `header.d`. */
	export interface MethodResult {
		value: string;
		header?: Record<string, string>;
	}

	interface AuthenticationResults {
		parsed: {
			/** The name of the server. */
			value?: string;
			dkim?: MethodResult[];
			spf?: MethodResult;
			dmarc?: MethodResult;
		};
	}

	export interface ParseHeader {
		/** @param line an Authentication-Results with its name */
		(line: string): AuthenticationResults;
		/** @param line another field with its name; `strict`: upper and lower case of tags differ */
		(line: string, options: { strict: true }): TagList;
	}
	const parseHeader: ParseHeader;
	export default parseHeader;
}
