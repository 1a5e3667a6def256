import { kindOf, type ElementKind } from './elements';

/** Where browsers stop to nest elements, too. */
export const DEEPEST_NESTING = 512;

// HTML knows about 150. What follows after so many counts as one and the same.
const MOST_NAMES = 1000;

/** All elements of a name. */
export interface Tag extends ElementKind {
	name: string;
	/** How many of them are open, so that a stray end tag costs nothing. */
	open: number;
}

/** The names of the elements of one HTML text, in bounded memory. */
export class TagTable {
	private readonly tags = new Map<string, Tag>();

	/** @param written the name as it stands in the HTML: case makes no difference */
	named(written: string): Tag {
		const known = this.tags.get(written);
		if (known) return known;
		const name = this.tags.size < MOST_NAMES ? written.toLowerCase() : '';
		const tag = this.tags.get(name) ?? { name, open: 0, ...kindOf(name) };
		if (this.tags.size < MOST_NAMES) this.tags.set(written, tag);
		this.tags.set(name, tag);
		return tag;
	}
}
