/** Unicode's bound for texts that are worked on piece by piece (UAX #15, Stream-Safe Text Format); no language needs five. */
const MOST_MARKS = 30;

const TOO_MANY_MARKS = new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, 'gu');

/**
 * Writes letters that look the same in the same way (Unicode, UAX #15). Marks that follow a letter are sorted for that, and
 * the time for it grows with the square of their number: tens of thousands, which anybody can write into a subject, would
 * keep n8n busy for minutes. So of each run of marks the first thirty count.
 */
export function normalized(text: string, form: 'NFC' | 'NFKC' | 'NFKD' = 'NFC'): string {
	return text.replace(TOO_MANY_MARKS, '$1').normalize(form);
}
