/** Writes TNEF streams (MS-OXTNEF), as Outlook sends them in `winmail.dat`. */

export interface TnefFileToWrite {
	/** The short name. */
	title?: string;
	content?: Buffer;
	properties?: TnefProperty[];
}

/** By ID; text is written as UTF-16. Bytes alone are a whole property. */
export type TnefProperty = [id: number, value: string | Buffer | number] | Buffer;

export const number = (value: number): Buffer => {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32LE(value);
	return bytes;
};

export const short = (value: number): Buffer => number(value).subarray(0, 2);

export function attribute(level: number, id: number, bytes: Buffer): Buffer {
	const sum = bytes.reduce((total, byte) => (total + byte) & 0xffff, 0);
	return Buffer.concat([Buffer.from([level]), number(id), number(bytes.length), bytes, short(sum)]);
}

function property(id: number, value: string | Buffer | number): Buffer {
	if (typeof value === 'number') return Buffer.concat([short(3), short(id), number(value)]);
	const isText = typeof value === 'string';
	const bytes = isText ? Buffer.from(`${value}\0`, 'utf16le') : value;
	const padding = Buffer.alloc((4 - (bytes.length % 4)) % 4);
	const type = isText ? 0x001f : 0x0102;
	return Buffer.concat([short(type), short(id), number(1), number(bytes.length), bytes, padding]);
}

/** @param level 1 for the message, 2 for a file */
function propertiesAttribute(level: number, id: number, properties: TnefProperty[]): Buffer {
	const written = properties.map((given) => (Buffer.isBuffer(given) ? given : property(...given)));
	return attribute(level, id, Buffer.concat([number(properties.length), ...written]));
}

function fileAttributes({ title, content, properties = [] }: TnefFileToWrite): Buffer[] {
	const attributes = [attribute(2, 0x00069002, Buffer.alloc(14))];
	if (title !== undefined)
		attributes.push(attribute(2, 0x00018010, Buffer.from(`${title}\0`, 'latin1')));
	if (content !== undefined) attributes.push(attribute(2, 0x0006800f, content));
	if (properties.length > 0) attributes.push(propertiesAttribute(2, 0x00069005, properties));
	return attributes;
}

/**
 * @param codePage of the 8-bit texts
 * @param properties of the message
 */
export function writeTnef(
	files: TnefFileToWrite[],
	body = '',
	codePage = 1252,
	properties: TnefProperty[] = [],
): Buffer {
	const attributes = [attribute(1, 0x00069007, Buffer.concat([number(codePage), number(0)]))];
	if (body !== '') attributes.push(attribute(1, 0x0002800c, Buffer.from(`${body}\0`, 'latin1')));
	if (properties.length > 0) attributes.push(propertiesAttribute(1, 0x00069003, properties));
	for (const file of files) attributes.push(...fileAttributes(file));
	return Buffer.concat([number(0x223e9f78), short(1), ...attributes]);
}

/** PidTagRtfCompressed of a text, without compression. */
export function storedRtf(rtf: string): Buffer {
	return rtfOfKind('MELA', Buffer.from(rtf, 'latin1'), rtf.length);
}

/** @param length of the text */
export function compressedRtf(content: Buffer, length: number): Buffer {
	return rtfOfKind('LZFu', content, length);
}

function rtfOfKind(kind: string, content: Buffer, length: number): Buffer {
	const header = [number(content.length + 12), number(length), Buffer.from(kind), number(0)];
	return Buffer.concat([...header, content]);
}
