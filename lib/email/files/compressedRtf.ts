import type { Pace } from '../../basics';

/** MS-OXRTFCP, 2.1.3.1.1: the compressed text refers to this as if it stood above. */
const BEGINNING = Buffer.from(
	[
		String.raw`{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}`,
		String.raw`{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier`,
		String.raw`{\colortbl\red0\green0\blue0`,
		'\r\n',
		String.raw`\par \pard\plain\f0\fs20\b\i\u\tab\tx`,
	].join(''),
);

/** The sizes with and without compression, its kind, and a checksum, each of four bytes. */
const HEADER_BYTES = 16;

const COMPRESSED = 0x75465a4c;
const UNCOMPRESSED = 0x414c454d;

/** Bytes of a text. Files are not in it, so genuine ones are shorter. */
const MAX_BYTES = 5_000_000;

/** Eight references of two bytes, with one byte above them, stand for at most 17 bytes each. */
const MAX_GROWTH = 8;

/** References name a place within the 4,096 bytes above. */
const MAX_DISTANCE = 0xfff;
const MIN_REFERENCE = 2;

// Each has up to 136 bytes.
const GROUPS_BETWEEN_PAUSES = 10_000;

/** @returns the text of PidTagRtfCompressed (MS-OXRTFCP) up to a fault; undefined if it is none, or too long */
export async function decompressRtf(stored: Buffer, pace: Pace): Promise<Buffer | undefined> {
	if (stored.length < HEADER_BYTES) return undefined;
	const length = stored.readUInt32LE(4);
	const kind = stored.readUInt32LE(8);
	const content = stored.subarray(HEADER_BYTES);
	if (length > MAX_BYTES) return undefined;
	if (kind === UNCOMPRESSED) return content.subarray(0, length);
	if (kind !== COMPRESSED) return undefined;
	return await decompress(content, Math.min(length, content.length * MAX_GROWTH), pace);
}

async function decompress(content: Buffer, length: number, pace: Pace): Promise<Buffer> {
	const text = Buffer.alloc(BEGINNING.length + length);
	let end = BEGINNING.copy(text);
	let position = 0;
	while (end < text.length && position < content.length) {
		if (pace.spend(1 / GROUPS_BETWEEN_PAUSES)) await pace.pause();
		const group = content.readUInt8(position++);
		for (let bit = 1; bit <= 0x80 && end < text.length; bit *= 2) {
			if ((group & bit) === 0) {
				text[end++] = content[position++] ?? 0;
				continue;
			}
			const [high = 0, low = 0] = content.subarray(position, position + 2);
			position += 2;
			const place = (high << 4) | (low >> 4);
			const distance = (end - place) & MAX_DISTANCE;
			// The end, or a reference behind the end of what is there.
			if (distance === 0 || position > content.length) return text.subarray(BEGINNING.length, end);
			const referenceEnd = Math.min(end + (low & 0xf) + MIN_REFERENCE, text.length);
			for (; end < referenceEnd; end++) text[end] = text[end - distance] ?? 0;
		}
	}
	return text.subarray(BEGINNING.length, end);
}
