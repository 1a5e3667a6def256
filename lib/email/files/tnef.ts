import type { Pace } from '../../basics';
import { EMAIL_LIMITS } from '../limits';
import { decodeCharset } from '../mime/charsets';

/** A file in a TNEF stream. */
export interface TnefFile {
	/** As written by the sender: not safe as a file name; null if there is none. */
	name: string | null;
	/** Lower case; null if there is none. */
	mimeType: string | null;
	contentId: string | undefined;
	/** A part of the stream. */
	content: Buffer;
}

/** A text of the message, a part of the stream. */
export interface TnefText {
	bytes: Buffer;
	/** Undefined if the stream does not name it. */
	charset: string | undefined;
}

/** What Outlook and Exchange pack into one `winmail.dat` (MS-OXTNEF). */
export interface TnefContent {
	files: TnefFile[];
	/** The message in up to three versions. */
	text: TnefText | undefined;
	html: TnefText | undefined;
	compressedRtf: Buffer | undefined;
	/** False if the stream is damaged, or has more files than are read: the rest is missing. */
	isWhole: boolean;
}

/** MS-OXTNEF, 2.1.3.1. */
const SIGNATURE = 0x223e9f78;

/** The signature and the key. */
const HEADER_BYTES = 6;

/** Of an attribute: level (1 byte), ID (2), type (2) and length (4). */
const ATTRIBUTE_HEADER_BYTES = 9;

const CHECKSUM_BYTES = 2;

/** MS-OXTNEF, 2.1.3.2. */
const ATTRIBUTE = {
	/** The attributes after it are about a new file. */
	renderingData: 0x9002,
	title: 0x8010,
	data: 0x800f,
	messageProperties: 0x9003,
	properties: 0x9005,
	codePage: 0x9007,
	body: 0x800c,
};

/** MS-OXPROPS. */
const PROPERTY = {
	body: 0x1000,
	compressedRtf: 0x1009,
	html: 0x1013,
	data: 0x3701,
	fileName: 0x3704,
	longFileName: 0x3707,
	mimeTag: 0x370e,
	contentId: 0x3712,
	codePageOfHtml: 0x3fde,
};

/** MS-OXCDATA, 2.11.1. */
const UNICODE = 0x001f;
const MANY_VALUES = 0x1000;

/** How many bytes a value takes, by its type. Values are padded to multiples of four. Types of variable length are missing. */
const FIXED_BYTES: ReadonlyMap<number, number> = new Map([
	[0x0001, 0], // PtypNull
	[0x0002, 4], // PtypInteger16
	[0x0003, 4], // PtypInteger32
	[0x0004, 4], // PtypFloating32
	[0x0005, 8], // PtypFloating64
	[0x0006, 8], // PtypCurrency
	[0x0007, 8], // PtypFloatingTime
	[0x000a, 4], // PtypErrorCode
	[0x000b, 4], // PtypBoolean
	[0x0014, 8], // PtypInteger64
	[0x0040, 8], // PtypTime
	[0x0048, 16], // PtypGuid
]);

/** The ID of a named property (MS-OXTNEF, 2.1.3.4). */
const FIRST_NAMED = 0x8000;
const GUID_BYTES = 16;
const NAMED_BY_TEXT = 1;

const UTF_16 = 'utf-16le';

/** Used if the stream names none. */
const WESTERN = 'cp1252';

/** The limit of a field is in characters, which take two bytes in UTF-16. */
const MAX_TEXT_BYTES = EMAIL_LIMITS.field * 2;

/** Values of one property. The first one counts; no property of a file has many. */
const MAX_VALUES = 1000;

// Reading so many takes a few milliseconds. The names of a file can be long, and in a code page that is slow to decode.
const ATTRIBUTES_BETWEEN_PAUSES = 20_000;
const PROPERTIES_BETWEEN_PAUSES = 500;
const FILES_BETWEEN_PAUSES = 20;

/** A value in the stream. If it is a text, `isUnicode` says whether it is in UTF-16. */
interface StoredValue {
	bytes: Buffer;
	isUnicode: boolean;
}

/** What the attributes of one file say. Nothing is decoded before all are known. */
interface OpenFile {
	title?: StoredValue;
	content?: Buffer;
	/** By ID. */
	properties: Map<number, StoredValue>;
}

/**
 * Reads a TNEF stream in one pass, with pauses. Lengths are checked against what is left, and nothing is copied.
 *
 * @param maxFiles later ones are not read
 * @returns undefined if it is not a TNEF stream
 */
export async function readTnef(
	stream: Buffer,
	maxFiles: number,
	pace: Pace,
): Promise<TnefContent | undefined> {
	const isTnef = stream.length >= HEADER_BYTES && stream.readUInt32LE(0) === SIGNATURE;
	return isTnef ? await new TnefReader(stream, maxFiles, pace).read() : undefined;
}

class TnefReader {
	private readonly files: OpenFile[] = [];

	private body: Buffer | undefined;

	/** Of the message, by ID. */
	private readonly properties = new Map<number, StoredValue>();

	private codePage: Buffer | undefined;

	constructor(
		private readonly stream: Buffer,
		private readonly maxFiles: number,
		private readonly pace: Pace,
	) {}

	async read(): Promise<TnefContent> {
		const isWhole = await this.readAttributes();
		const files: TnefFile[] = [];
		for (const file of this.files) {
			if (this.pace.spend(1 / FILES_BETWEEN_PAUSES)) await this.pace.pause();
			const read = this.fileOf(file);
			if (read !== undefined) files.push(read);
		}
		const compressedRtf = this.properties.get(PROPERTY.compressedRtf)?.bytes;
		return { files, text: this.plainText(), html: this.html(), compressedRtf, isWhole };
	}

	private plainText(): TnefText | undefined {
		if (this.body !== undefined) return { bytes: this.body, charset: this.charset() };
		const value = this.properties.get(PROPERTY.body);
		if (value === undefined) return undefined;
		return { bytes: value.bytes, charset: value.isUnicode ? UTF_16 : this.charset() };
	}

	private html(): TnefText | undefined {
		const value = this.properties.get(PROPERTY.html);
		if (value === undefined) return undefined;
		const codePage = this.properties.get(PROPERTY.codePageOfHtml)?.bytes;
		return { bytes: value.bytes, charset: value.isUnicode ? UTF_16 : charsetOf(codePage) };
	}

	/** @returns false if the stream is damaged or has too many files */
	private async readAttributes(): Promise<boolean> {
		const { stream, pace } = this;
		let position = HEADER_BYTES;
		let isWhole = true;
		// Some streams end with a line break or zeros, which are too short for an attribute.
		while (stream.length - position >= ATTRIBUTE_HEADER_BYTES) {
			// The type after the ID is not needed: some programs leave it 0.
			const id = stream.readUInt16LE(position + 1);
			const length = stream.readUInt32LE(position + 5);
			const start = position + ATTRIBUTE_HEADER_BYTES;
			if (length > stream.length - start) return false;
			if (id === ATTRIBUTE.renderingData && this.files.length >= this.maxFiles) return false;
			if (pace.spend(1 / ATTRIBUTES_BETWEEN_PAUSES)) await pace.pause();
			const end = start + length;
			const properties = this.propertiesIn(id);
			const content = stream.subarray(start, end);
			if (properties === undefined) this.readAttribute(id, content);
			else isWhole = (await readProperties(content, properties, pace)) && isWhole;
			position = end + CHECKSUM_BYTES;
		}
		return isWhole;
	}

	/** The first of several attributes with the same ID counts. */
	private readAttribute(id: number, content: Buffer): void {
		const file = this.files.at(-1);
		switch (id) {
			case ATTRIBUTE.renderingData:
				this.files.push({ properties: new Map() });
				break;
			case ATTRIBUTE.codePage:
				this.codePage ??= content;
				break;
			case ATTRIBUTE.body:
				// Some programs write an empty one beside the property.
				if (content[0]) this.body ??= content;
				break;
			case ATTRIBUTE.title:
				if (file) file.title ??= { bytes: content, isUnicode: false };
				break;
			case ATTRIBUTE.data:
				if (file) file.content ??= content;
		}
	}

	/** Those that an attribute is added to: of the message, or of the last file. */
	private propertiesIn(attribute: number): Map<number, StoredValue> | undefined {
		if (attribute === ATTRIBUTE.messageProperties) return this.properties;
		return attribute === ATTRIBUTE.properties ? this.files.at(-1)?.properties : undefined;
	}

	/** @returns undefined without content */
	private fileOf({ title, content, properties }: OpenFile): TnefFile | undefined {
		const attached = content ?? properties.get(PROPERTY.data)?.bytes;
		if (attached === undefined) return undefined;
		const property = (id: number): string => this.textOf(properties.get(id));
		const name =
			property(PROPERTY.longFileName) || this.textOf(title) || property(PROPERTY.fileName);
		return {
			name: name || null,
			mimeType: property(PROPERTY.mimeTag).toLowerCase() || null,
			contentId: property(PROPERTY.contentId) || undefined,
			content: attached,
		};
	}

	/** The text up to the first NUL, and at most `MAX_TEXT_BYTES` of it. */
	private textOf(value: StoredValue | undefined): string {
		if (value === undefined) return '';
		const { isUnicode } = value;
		const bytes = value.bytes.subarray(0, MAX_TEXT_BYTES);
		const text = isUnicode ? bytes.toString('utf16le') : decodeCharset(bytes, this.charset());
		return text.split('\0', 1)[0] ?? '';
	}

	private charset(): string {
		return charsetOf(this.codePage) ?? WESTERN;
	}
}

/** @param codePage a number of four bytes */
function charsetOf(codePage: Buffer | undefined): string | undefined {
	if (codePage === undefined || codePage.length < 4) return undefined;
	return `cp${codePage.readUInt32LE()}`;
}

const WANTED_PROPERTIES: ReadonlySet<number> = new Set(Object.values(PROPERTY));

/**
 * Reads the properties of the message or of a file (MS-OXTNEF, 2.1.3.4) up to a fault.
 *
 * @returns false if there is one
 */
async function readProperties(
	bytes: Buffer,
	found: Map<number, StoredValue>,
	pace: Pace,
): Promise<boolean> {
	const reader = new PropertyReader(bytes);
	const count = reader.uint32();
	for (let index = 0; index < count && !reader.isBroken; index++) {
		if (pace.spend(1 / PROPERTIES_BETWEEN_PAUSES)) await pace.pause();
		const type = reader.uint16();
		const id = reader.uint16();
		if (id >= FIRST_NAMED) reader.skipName();
		const place = reader.value(type);
		if (place === undefined || !WANTED_PROPERTIES.has(id) || found.has(id)) continue;
		const isUnicode = (type & ~MANY_VALUES) === UNICODE;
		found.set(id, { bytes: bytes.subarray(place.start, place.end), isUnicode });
	}
	return !reader.isBroken;
}

/** Where a value is in the bytes of an attribute. */
interface Place {
	start: number;
	end: number;
}

/** After a fault, every number is 0 and every value is missing. */
class PropertyReader {
	isBroken = false;

	private position = 0;

	constructor(private readonly bytes: Buffer) {}

	uint16(): number {
		const start = this.skip(2);
		return this.isBroken ? 0 : this.bytes.readUInt16LE(start);
	}

	uint32(): number {
		const start = this.skip(4);
		return this.isBroken ? 0 : this.bytes.readUInt32LE(start);
	}

	skipName(): void {
		this.skip(GUID_BYTES);
		const kind = this.uint32();
		const length = this.uint32();
		if (kind === NAMED_BY_TEXT) this.skipPadded(length);
	}

	/** The first value of a property; undefined without one. */
	value(typeWithFlag: number): Place | undefined {
		const type = typeWithFlag & ~MANY_VALUES;
		const fixed = FIXED_BYTES.get(type);
		if (fixed !== undefined) {
			const count = type === typeWithFlag ? 1 : this.uint32();
			const start = this.skip(fixed * count);
			return this.isBroken || count === 0 ? undefined : { start, end: start + fixed };
		}
		// Values of variable length have a count even if there is only one.
		let first: Place | undefined;
		const count = this.uint32();
		if (count > MAX_VALUES) this.isBroken = true;
		for (let index = 0; index < count && !this.isBroken; index++) {
			const length = this.uint32();
			const start = this.skipPadded(length);
			if (!this.isBroken) first ??= { start, end: start + length };
		}
		return first;
	}

	/** Values begin at multiples of four bytes; the last one may end before. */
	private skipPadded(length: number): number {
		const start = this.skip(length);
		const padding = (4 - (length % 4)) % 4;
		this.position = Math.min(this.position + padding, this.bytes.length);
		return start;
	}

	/** @returns where the skipped bytes begin */
	private skip(length: number): number {
		const start = this.position;
		if (start + length > this.bytes.length) this.isBroken = true;
		if (!this.isBroken) this.position += length;
		return start;
	}
}
