import { normalized } from '../../lib/text';

/** Tells whether a text is what a pattern asks for. */
export type Matcher = (text: string) => boolean;

/**
 * Compares texts with a pattern in which `*` stands for anything.
 *
 * Finds the parts between the stars from left to right: linear in the text, where a regular expression could run away.
 */
export function wildcardMatcher(pattern: string): Matcher {
	const [first = '', ...rest] = pattern.split('*');
	const last = rest.pop();
	if (last === undefined) return (text) => text === pattern;
	return (text) => {
		if (!text.startsWith(first)) return false;
		let position = first.length;
		for (const part of rest) {
			const found = text.indexOf(part, position);
			if (found === -1) return false;
			position = found + part.length;
		}
		return text.length - last.length >= position && text.endsWith(last);
	};
}

/** Letters that look the same count as the same, in either case. */
export function foldCase(text: string): string {
	return normalized(text).toLowerCase();
}
