/** The attributes of a start tag that are read, by their names in lower case; undefined for those that it does not have. */
export class Attributes {
	alt: string | undefined = undefined;

	background: string | undefined = undefined;

	bgcolor: string | undefined = undefined;

	class: string | undefined = undefined;

	color: string | undefined = undefined;

	colspan: string | undefined = undefined;

	height: string | undefined = undefined;

	hidden: string | undefined = undefined;

	href: string | undefined = undefined;

	id: string | undefined = undefined;

	media: string | undefined = undefined;

	name: string | undefined = undefined;

	role: string | undefined = undefined;

	start: string | undefined = undefined;

	style: string | undefined = undefined;

	text: string | undefined = undefined;

	value: string | undefined = undefined;

	width: string | undefined = undefined;
}

export type AttributeName = keyof Attributes;

/** Of a tag without attributes that are read. */
export const NO_ATTRIBUTES: Readonly<Attributes> = new Attributes();

const ATTRIBUTE_NAMES: ReadonlySet<string> = new Set(Object.keys(NO_ATTRIBUTES));

export function isAttributeName(name: string): name is AttributeName {
	return ATTRIBUTE_NAMES.has(name);
}

/** All elements of a name in an email. */
export interface Tag {
	/** In lower case. */
	name: string;
	/** How many of them are open, so that a stray end tag costs nothing. */
	open: number;
	/** Line breaks between it and the text around it; 0 for a part of a line. */
	breaks: 0 | 1 | 2;
	/**
	 * Elements that end, without an end tag of their own, where this one begins (HTML, 13.1.2.4), besides paragraphs; undefined
	 * for none.
	 */
	ends: ReadonlySet<string> | undefined;
	/** It has no end tag, and nothing within it. */
	isVoid: boolean;
	/** Nothing within it is text that people read. */
	isNeverShown: boolean;
	/** Up to its end tag, nothing within it is a tag or a character reference. */
	isRawText: boolean;
}

const PARAGRAPHS = named('blockquote dl fieldset h1 h2 h3 h4 h5 h6 hr ol p pre ul xmp');

const LINES = named(
	'address article aside body caption center dd details dialog dir div dt figcaption figure footer form header hgroup ' +
		'html legend li main menu nav section summary table tbody tfoot thead tr',
);

const PARTS_OF_TABLE = named('caption table tbody td tfoot th thead tr');

const NEVER_SHOWN = named(
	'audio canvas datalist iframe meter noembed noframes progress rp script select style svg template textarea title video xml',
);

const RAW_TEXT = named('iframe noembed noframes plaintext script style xmp');

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

/** @param name in lower case */
export function newTag(name: string): Tag {
	return {
		name,
		open: 0,
		breaks: breaksAround(name),
		ends: ENDS.get(name),
		isVoid: VOID.has(name),
		isNeverShown: NEVER_SHOWN.has(name),
		isRawText: RAW_TEXT.has(name),
	};
}

/** How many line breaks an element puts before and after its text. */
function breaksAround(name: string): 0 | 1 | 2 {
	if (PARAGRAPHS.has(name)) return 2;
	return LINES.has(name) ? 1 : 0;
}

/** @param name in lower case, as below */
export function isPartOfTable(name: string): boolean {
	return PARTS_OF_TABLE.has(name);
}

export function isCell(name: string): boolean {
	return name === 'td' || name === 'th';
}

function named(names: string): ReadonlySet<string> {
	return new Set(names.split(' '));
}
