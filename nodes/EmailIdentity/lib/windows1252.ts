/** The characters of Windows-1252 at 0x80 to 0x9F; a blank stands for each of the five that have none. */
const CHARACTERS = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

const FIRST = 0x80;
const LAST = 0x9f;
const SPACE = 0x20;

/**
 * Several releases of Node 20 and 22 read Windows-1252 (which much of Outlook's mail is written in, and what Latin-1
 * stands for in mail) as plain Latin-1: dashes, curly quotes and the Euro sign become control characters
 * that no text contains. They become again what they were.
 */
export function restoreWindows1252(text: string): string {
	if (!/[\u0080-\u009f]/.test(text)) return text;
	const units = new Uint16Array(text.length);
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		const restored = code >= FIRST && code <= LAST ? CHARACTERS.charCodeAt(code - FIRST) : code;
		units[index] = restored === SPACE ? code : restored;
	}
	return Buffer.from(units.buffer).toString('utf16le');
}
