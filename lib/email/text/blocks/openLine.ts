import type { Block, ListItem, Mark, Run } from './blocks';
import type { HtmlPlace } from './places';

// A text can have millions of lines and runs. Where many objects of one literal live long, V8 makes all later ones among the old
// objects, where those that nobody needs any more stay for long. So they are made by constructors, and arrays by copying.

const NO_RUNS: Run[] = [];

const NO_ITEMS: readonly ListItem[] = [];

/** A line of HTML that is being written. */
export class OpenLine implements Block {
	kind: Block['kind'] = 'paragraph';

	runs = NO_RUNS;

	items = NO_ITEMS;

	constructor(
		readonly breaks: string,
		readonly around: HtmlPlace,
	) {}

	add(run: Run): void {
		// An array that is made with its first element is a tenth as large.
		if (this.runs.length === 0) this.runs = [run].slice();
		else this.runs.push(run);
	}
}

/** Words that look the same, before it is known whether a link ends with them. */
export class OpenRun implements Run {
	address: string | undefined = undefined;

	constructor(
		readonly gap: Run['gap'],
		readonly text: string,
		readonly marks: readonly Mark[],
	) {}
}
