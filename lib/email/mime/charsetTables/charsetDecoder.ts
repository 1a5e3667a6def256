/** Decodes the bytes of one charset. */
export interface CharsetDecoder {
	/** Its name in the Encoding Standard, in lower case. */
	encoding: string;
	/** @param options whether more bytes follow, so that a character that is cut off waits for them. Default: false. */
	decode(bytes: Uint8Array, options?: { stream?: boolean }): string;
}

/** Stands for what is no character. */
export const REPLACEMENT = '\ufffd';

/** Text of UTF-16 code units. */
export function fromUnits(units: Uint16Array): string {
	return Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString('utf16le');
}
