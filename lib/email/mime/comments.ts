/** The end of the comment that begins at this position (RFC 5322, 3.2.2), including nested comments; undefined if unclosed. */
export function endOfComment(text: string, start: number): number | undefined {
	let depth = 0;
	for (let index = start; index < text.length; index++) {
		switch (text[index]) {
			case '\\':
				// The next character means itself.
				index++;
				break;
			case '(':
				depth++;
				break;
			case ')':
				depth--;
				if (depth === 0) return index + 1;
		}
	}
	return undefined;
}

/** @param replacement for each comment; one that does not end reaches to the end of the text */
export function withoutComments(text: string, replacement = ''): string {
	let kept = '';
	let end = 0;
	for (;;) {
		const start = text.indexOf('(', end);
		if (start < 0) return kept + text.slice(end);
		kept += text.slice(end, start) + replacement;
		end = endOfComment(text, start) ?? text.length;
	}
}

/** Replaces a comment with a space, a quoted string with one quotation mark; undefined if one of them does not end. */
export function withoutCommentsAndQuotes(text: string): string | undefined {
	let kept = '';
	let position = 0;
	while (position < text.length) {
		const character = text.charAt(position);
		let end: number | undefined = position + 1;
		if (character === '(') end = endOfComment(text, position);
		if (character === '"') end = endOfQuotedString(text, position);
		if (end === undefined) return undefined;
		kept += character === '(' ? ' ' : character;
		position = end;
	}
	return kept;
}

/** The end of the quoted string that begins at this position (RFC 5322, 3.2.4); undefined if unclosed. */
function endOfQuotedString(text: string, start: number): number | undefined {
	for (let index = start + 1; index < text.length; index++) {
		if (text[index] === '\\') index++;
		else if (text[index] === '"') return index + 1;
	}
	return undefined;
}
