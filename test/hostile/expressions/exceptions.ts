/** The beginnings of expressions that the checker does not find linear, with the reason why they are not slow. */
export const NOT_LINEAR: Readonly<Record<string, string>> = {
	'\\p{Nd}\\S*(?: \\p{L}{1,2})? \\p{L': '`reply/attributions.ts` gives it 24 characters at most.',
	'[.…\\s()[\\]<>]+$|^[\\s([<]+':
		'`reply/personalSignature.ts` gives it the short line of an app (`MAX_APP_LINE`).',
	'[<([]\\s*https?:\\/\\/[^\\s<>()[\\]': 'The same.',
	'(?:…|…|…|…|…|…|…|…|…|…|…|…|…|…':
		'`reply/earlierEmails.ts`, too large for the checker: words without repetition.',
	'(…|…|…|(?<=[\\p{scx=Arab}\\p{scx':
		'`invisible.ts`, unknown to the checker: invisible characters in a row are looked through once, from the letter before ' +
		'them; the families of joiners try it.',
};

/** The lines of code that create one while the nodes run: from secrets, in alternatives without repetition. */
export const MADE_LATER = ['return text.replace(new RegExp(anySpelling, "gi"), MASK);'];
