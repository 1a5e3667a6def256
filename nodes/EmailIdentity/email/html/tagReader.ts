import type { TokenizerCallbacks } from 'htmlparser2';

import { AttributeCollector, type Attributes } from './attributeCollector';

/** Is told what HTML consists of, in its order. */
export interface TagListener {
	/** @param name as written */
	openTag(name: string, attributes: Attributes): void;
	/** @param name as written */
	closeTag(name: string): void;
	/** A text comes in any number of pieces. */
	addText(text: string): void;
}

/** What says how an element looks, and where links and pictures lead. */
const ATTRIBUTES: ReadonlySet<string> = new Set(
	'alt class height hidden href start style value width'.split(' '),
);

/** Puts together what the tokenizer finds: positions in the HTML become tags with their attributes, and text. */
export class TagReader extends AttributeCollector implements TokenizerCallbacks {
	private tag = '';

	constructor(
		html: string,
		private readonly listener: TagListener,
	) {
		super(html, ATTRIBUTES);
	}

	onopentagname(start: number, end: number): void {
		this.tag = this.beginTag(start, end);
	}

	onopentagend(): void {
		this.listener.openTag(this.tag, this.attributes);
	}

	onselfclosingtag(): void {
		this.onopentagend();
	}

	onclosetag(start: number, end: number): void {
		this.listener.closeTag(this.html.slice(start, end));
	}

	ontext(start: number, end: number): void {
		this.listener.addText(this.html.slice(start, end));
	}

	ontextentity(codePoint: number): void {
		this.listener.addText(String.fromCodePoint(codePoint));
	}

	oncdata(): void {}

	oncomment(): void {}

	ondeclaration(): void {}

	onprocessinginstruction(): void {}

	onend(): void {}
}
