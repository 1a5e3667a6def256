/** All elements of a name. */
export interface Tag {
	name: string;
	/** How many of them are open, so that a stray end tag costs nothing. */
	open: number;
	/** Line breaks between it and the text around it; 0 for a part of a line. */
	breaks: 0 | 1 | 2;
	role: Role | undefined;
	/** Elements that end, without an end tag of their own, where this one begins (HTML, 13.1.2.4), besides paragraphs. */
	ends: ReadonlySet<string> | undefined;
	/** It has no end tag, and nothing within it. */
	isVoid: boolean;
	/** Nothing within it is text that people read. */
	isNeverShown: boolean;
}

export type Role =
	| 'cell'
	| 'entry'
	| 'image'
	| 'line break'
	| 'link'
	| 'list'
	| 'paragraph'
	| 'preformatted'
	| 'quote'
	| 'row'
	| 'rule';

const ROLES: ReadonlyMap<string, Role> = new Map([
	['a', 'link'],
	['blockquote', 'quote'],
	['br', 'line break'],
	['hr', 'rule'],
	['img', 'image'],
	['li', 'entry'],
	['ol', 'list'],
	['p', 'paragraph'],
	['pre', 'preformatted'],
	['td', 'cell'],
	['th', 'cell'],
	['tr', 'row'],
	['ul', 'list'],
	['xmp', 'preformatted'],
]);

const named = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const PARAGRAPHS = named('blockquote dl fieldset h1 h2 h3 h4 h5 h6 hr ol p pre ul xmp');

const LINES = named(
	'address article aside body caption center dd details dialog dir div dt figcaption figure footer form header hgroup ' +
		'html legend li main menu nav section summary table tbody tfoot thead tr',
);

const NEVER_SHOWN = named(
	'audio canvas datalist iframe noembed noframes rp script select style svg template textarea title video xml',
);

const VOID = named(
	'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
);

const ENDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
	['dd', named('dd dt')],
	['dt', named('dd dt')],
	['li', named('li')],
	['td', named('td th')],
	['th', named('td th')],
	['tr', named('td th tr')],
]);

// HTML knows about 150. All names after so many count as one and the same.
const MAX_NAMES = 1000;

/** The names of the elements of one HTML text, in bounded memory. */
export class TagTable {
	private readonly tags = new Map<string, Tag>();

	/** @param written the name as it stands in the HTML: case makes no difference */
	named(written: string): Tag {
		const known = this.tags.get(written);
		if (known) return known;
		const name = this.tags.size < MAX_NAMES ? written.toLowerCase() : '';
		const tag = this.tags.get(name) ?? newTag(name);
		if (this.tags.size < MAX_NAMES) this.tags.set(written, tag);
		this.tags.set(name, tag);
		return tag;
	}
}

function newTag(name: string): Tag {
	return {
		name,
		open: 0,
		breaks: PARAGRAPHS.has(name) ? 2 : LINES.has(name) ? 1 : 0,
		role: ROLES.get(name),
		ends: ENDS.get(name),
		isVoid: VOID.has(name),
		isNeverShown: NEVER_SHOWN.has(name),
	};
}

/** Elements in which mail programs put an earlier email and nothing else, by class, id or name. */
const QUOTATIONS = named(
	'front-blockquote hse-quote isreplycontent mail-editor-reference-message-container mailcontent_original ' +
		'ms-outlook-mobile-reference-message olk_src_body_section oriattachbody replyblockquote skiptranslate_quote ' +
		'tutanota_quote yahoo_quoted zmail_extra',
);

const MAX_NAME = 500;

export function isQuotation(attributes: ReadonlyMap<string, string>): boolean {
	// GMX.
	if (attributes.get('name') === 'quote') return true;
	return ['class', 'id', 'name'].some((attribute) => {
		const value = attributes.get(attribute)?.slice(0, MAX_NAME).toLowerCase();
		return value?.split(/\s+/).some((name) => QUOTATIONS.has(withoutPrefix(name))) ?? false;
	});
}

/** Outlook on the web puts `x_` before each name, once for each time that an email was answered. */
function withoutPrefix(name: string): string {
	let start = 0;
	while (name.startsWith('x_', start)) start += 2;
	return name.slice(start).replace(/^yahoo_quoted_\d+$/, 'yahoo_quoted');
}
