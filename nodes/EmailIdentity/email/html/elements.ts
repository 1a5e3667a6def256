/** What an element means for the text of an email. */
export interface ElementKind {
	/** How far it is apart from the text around it, in line breaks; 0 for what is part of a line. */
	breaks: 0 | 1 | 2;
	role: Role | undefined;
	/** Elements that end, without an end tag of their own, where this one begins (HTML, 13.1.2.4), besides paragraphs. */
	ends: ReadonlySet<string> | undefined;
	/** It has no end tag, and nothing within it. */
	isVoid: boolean;
	/** Neither it nor what is within it is text that somebody reads. */
	isNeverShown: boolean;
}

type Role =
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

const ROLES: Readonly<Record<string, Role>> = {
	a: 'link',
	blockquote: 'quote',
	br: 'line break',
	hr: 'rule',
	img: 'image',
	li: 'entry',
	ol: 'list',
	p: 'paragraph',
	pre: 'preformatted',
	td: 'cell',
	th: 'cell',
	tr: 'row',
	ul: 'list',
	xmp: 'preformatted',
};

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

const ENDS: Readonly<Record<string, ReadonlySet<string>>> = {
	dd: named('dd dt'),
	dt: named('dd dt'),
	li: named('li'),
	td: named('td th'),
	th: named('td th'),
	tr: named('td th tr'),
};

/** @param name in lower case; one that is unknown is part of a line */
export function kindOf(name: string): ElementKind {
	const isParagraph = PARAGRAPHS.has(name);
	return {
		breaks: isParagraph ? 2 : LINES.has(name) ? 1 : 0,
		role: Object.hasOwn(ROLES, name) ? ROLES[name] : undefined,
		ends: Object.hasOwn(ENDS, name) ? ENDS[name] : undefined,
		isVoid: VOID.has(name),
		isNeverShown: NEVER_SHOWN.has(name),
	};
}
