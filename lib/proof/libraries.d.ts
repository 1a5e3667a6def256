/** The used parts of `mailauth`, which has types only for its top-level functions; these read emails from streams. */

declare module 'mailauth/lib/dkim/dkim-verifier' {
	import type { Hash } from 'crypto';

	export interface HeaderRow {
		key: string;
		line: Buffer;
	}

	interface Status {
		result: 'fail' | 'neutral' | 'none' | 'pass' | 'policy';
		comment?: string;
		policy?: Record<string, string>;
		testing?: boolean;
	}

	interface SignatureHeader {
		bodyCanon: string;
		hashAlgo: string;
		bodyHashKey?: string;
	}

	export class DkimVerifier {
		constructor(options: {
			resolver(name: string): Promise<string[][]>;
			strict: boolean;
			curTime: Date;
		});
		headers: { parsed: HeaderRow[] };
		/** One for each DKIM signature passed to `messageHeaders`. */
		readonly signatureHeaders: SignatureHeader[];
		/** By their key; read by `finalChunk`. */
		readonly bodyHashes: Map<string, Hash & { getMimeStructureStart(): undefined }>;
		/** In the same order, after `finalChunk`. */
		readonly results: Array<{ status: Status }>;
		messageHeaders(headers: { parsed: HeaderRow[] }): Promise<void>;
		finalChunk(): Promise<void>;
		protected verifySignature(header: unknown): Promise<unknown>;
	}
}

declare module 'mailauth/lib/parse-dkim-headers' {
	export interface MethodResult {
		value: string;
		header?: Record<string, string>;
	}

	/** @param line an Authentication-Results with its name */
	function parseHeader(line: string): {
		parsed: { dkim?: MethodResult[]; spf?: MethodResult; dmarc?: MethodResult };
	};
	/** Tags by name (RFC 6376, 3.2). The library converts `t`, `x`, `l` and `v` to numbers. */
	function parseHeader(
		line: string,
		options: { strict: true },
	): { parsed: Record<string, { value: number | string } | undefined>; syntaxErrors: string[] };
	export default parseHeader;
}
