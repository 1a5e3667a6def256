/** How yes and no are said: by services, by tables that an expression reads from. */
const YES: readonly string[] = ['true', '1', 'yes', 'on', 'active', 'enabled'];
const NO: readonly string[] = ['false', '0', 'no', 'off', 'inactive', 'disabled', 'paused'];

/**
 * Reads a yes or no, in whatever case it is written and with blanks around it.
 *
 * @returns null for whatever else: it is unknown, and unknown is neither
 */
export function readFlag(value: unknown): boolean | null {
	const word = String(value).trim().toLowerCase();
	if (YES.includes(word)) return true;
	return NO.includes(word) ? false : null;
}
