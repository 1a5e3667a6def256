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
