import { decodeWords } from 'postal-mime';

/** What Node knows by these names, with no need to look further. */
const KNOWN_TO_NODE =
	/^(?:utf-?8|us-ascii|iso-8859-\d{1,2}|windows-125\d|koi8-[ru]|gb(?:2312|k|18030)|big5|shift_jis|euc-(?:jp|kr)|iso-2022-jp|utf-16(?:le|be)?)$/;

const UTF_7 = /^(?:x-)?(?:unicode-\d-\d-)?utf-?7$/;

type Decoder = InstanceType<typeof TextDecoder>;

const decoders = new Map<string, Decoder>();

/**
 * Decodes text in a charset as emails name it. One that is unknown is read as Windows-1252, as mail programs do.
 *
 * @param charset such as `iso-8859-1`, in any case; UTF-8 when it is missing
 */
export function decodeCharset(bytes: Buffer, charset: string | undefined): string {
	const label = charset?.trim().toLowerCase() || 'utf-8';
	if (KNOWN_TO_NODE.test(label)) return restoreWindows1252(decoderFor(label).decode(bytes));
	if (UTF_7.test(label)) return decodeUtf7(bytes.toString('latin1'));
	return restoreWindows1252(decodeByOtherName(bytes, label));
}

function decoderFor(label: string): Decoder {
	const known = decoders.get(label);
	if (known) return known;
	const decoder = createDecoder(label) ?? new TextDecoder('windows-1252');
	decoders.set(label, decoder);
	return decoder;
}

/** @returns undefined where this Node was built without that charset, or there is none of that number */
function createDecoder(label: string): Decoder | undefined {
	try {
		return new TextDecoder(label);
	} catch {
		return undefined;
	}
}

/** The MIME library has a table of the names in use, such as `cp932`. It is reached by an encoded word (RFC 2047). */
function decodeByOtherName(bytes: Buffer, label: string): string {
	const charset = label.replace(/[?*\s]/g, '') || 'windows-1252';
	return decodeWords(`=?${charset}?B?${bytes.toString('base64')}?=`);
}

/** RFC 2152: `+` begins UTF-16 in base64, which ends with whatever is no digit of it; `-` after it is dropped. */
function decodeUtf7(text: string): string {
	return text.replace(/\+([A-Za-z0-9+/]*)-?/g, (_all, base64: string) => {
		if (base64 === '') return '+';
		const bytes = Buffer.from(base64, 'base64');
		return bytes
			.subarray(0, bytes.length - (bytes.length % 2))
			.swap16()
			.toString('utf16le');
	});
}

/** The characters of Windows-1252 at 0x80 to 0x9F; a blank stands for each of the five that have none. */
const CHARACTERS = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

const FIRST = 0x80;

/**
 * Several releases of Node 20 and 22 read Windows-1252 (which much of Outlook's mail is written in, and what Latin-1
 * stands for in mail) as plain Latin-1: dashes, curly quotes and the Euro sign become control characters
 * that no text contains. They become again what they were.
 */
export function restoreWindows1252(text: string): string {
	return text.replace(/[\u0080-\u009f]/g, (control) => {
		const character = CHARACTERS[control.charCodeAt(0) - FIRST] ?? ' ';
		return character === ' ' ? control : character;
	});
}
