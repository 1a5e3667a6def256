/**
 * Cuts characters off the end of a text, in time that is linear in its length: an expression such as `/[.\s]+$/` tries
 * every run of them anew from each of its characters, which takes 38 s for 200 KB of blanks.
 *
 * @param character tells by one character whether it goes, such as `/[.\s]/`; neither global nor sticky
 */
export function trimEndOf(text: string, character: RegExp): string {
	let end = text.length;
	while (end > 0 && character.test(text.charAt(end - 1))) end--;
	return text.slice(0, end);
}

/** A sentence, or several, with exactly one full stop at the end, whatever dots and blanks there were. */
export function withFullStop(text: string): string {
	return `${trimEndOf(text, /[.\s]/)}.`;
}
