import { Tokenizer } from 'htmlparser2';
import type { TokenizerCallbacks } from 'htmlparser2';

import type { Pace } from '../../lib/pause';
import { kindOf } from '../html/elements';

/** A piece of the source, by its characters. */
export interface Cut {
	start: number;
	end: number;
}

interface Tag extends Cut {
	name: string;
}

// Reading this much takes a few milliseconds; others get their turn after it.
const CHARACTERS_BETWEEN_PAUSES = 150_000;

/**
 * Cuts pieces out of HTML so that what remains is as it was: elements that are whole within a piece go, tags of those that
 * reach out of it stay.
 *
 * @param cuts in their order, not overlapping; what is left open in one that reaches the end goes, too
 */
export async function cutHtml(html: string, cuts: readonly Cut[], pace: Pace): Promise<string> {
	const cutters = cuts.map((cut) => new Cutter(html, cut));
	const tokenizer = new Tokenizer({}, new TagReader(html, cutters));
	for (let start = 0; start < html.length; start += CHARACTERS_BETWEEN_PAUSES) {
		const piece = html.slice(start, start + CHARACTERS_BETWEEN_PAUSES);
		if (pace.isDue(piece.length / CHARACTERS_BETWEEN_PAUSES)) await pace.pause();
		tokenizer.write(piece);
	}
	tokenizer.end();
	let end = 0;
	const pieces: string[] = [];
	for (const cutter of cutters) {
		pieces.push(html.slice(end, cutter.cut.start), cutter.rest());
		end = cutter.cut.end;
	}
	return pieces.join('') + html.slice(end);
}

/** What stays of one piece. */
class Cutter {
	/** Of elements that began before it. */
	private readonly endTags: Tag[] = [];

	/** Of elements that begin in it and have not ended yet. */
	private readonly startTags: Tag[] = [];

	private readonly open = new Map<string, number>();

	constructor(
		private readonly html: string,
		readonly cut: Cut,
	) {}

	startTag(tag: Tag): void {
		this.startTags.push(tag);
		this.open.set(tag.name, (this.open.get(tag.name) ?? 0) + 1);
	}

	endTag(tag: Tag): void {
		if ((this.open.get(tag.name) ?? 0) === 0) {
			this.endTags.push(tag);
			return;
		}
		let started: Tag | undefined;
		do {
			started = this.startTags.pop();
			if (started) this.open.set(started.name, (this.open.get(started.name) ?? 1) - 1);
		} while (started && started.name !== tag.name);
	}

	rest(): string {
		const isLast = this.cut.end >= this.html.length;
		const tags = isLast ? this.endTags : [...this.endTags, ...this.startTags];
		return tags
			.sort((one, other) => one.start - other.start)
			.map(({ start, end }) => this.html.slice(start, end))
			.join('');
	}
}

/** Hands the tags to the pieces that they are in. */
class TagReader implements TokenizerCallbacks {
	private tag: Tag = { name: '', start: 0, end: 0 };

	constructor(
		private readonly html: string,
		private readonly cutters: readonly Cutter[],
	) {}

	onopentagname(start: number, end: number): void {
		this.tag = { name: this.html.slice(start, end).toLowerCase(), start: start - '<'.length, end };
	}

	onopentagend(end: number): void {
		if (kindOf(this.tag.name).isVoid) return;
		this.cutterAt(this.tag.start)?.startTag({ ...this.tag, end: end + 1 });
	}

	onselfclosingtag(end: number): void {
		this.onopentagend(end);
	}

	onclosetag(start: number, end: number): void {
		const cutter = this.cutterAt(start);
		if (!cutter) return;
		const close = this.html.indexOf('>', end);
		const name = this.html.slice(start, end).toLowerCase();
		cutter.endTag({
			name,
			start: start - '</'.length,
			end: close < 0 ? this.html.length : close + 1,
		});
	}

	private cutterAt(position: number): Cutter | undefined {
		return this.cutters.find(({ cut }) => position >= cut.start && position < cut.end);
	}

	onattribname(): void {}

	onattribdata(): void {}

	onattribentity(): void {}

	onattribend(): void {}

	ontext(): void {}

	ontextentity(): void {}

	oncdata(): void {}

	oncomment(): void {}

	ondeclaration(): void {}

	onprocessinginstruction(): void {}

	onend(): void {}
}
