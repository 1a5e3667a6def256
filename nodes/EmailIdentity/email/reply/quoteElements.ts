import type { Mark, Quoting } from './lines';

type Attributes = ReadonlyMap<string, string>;

/** What an element says about the lines within it. */
export interface ElementMeaning {
	quoting: Quoting;
	mark?: Mark;
}

const named = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Classes and ids of elements that hold an earlier email and nothing else, in lower case. */
const HISTORY = named(
	'yahoo_quoted olk_src_body_section mail-editor-reference-message-container ms-outlook-mobile-reference-message ' +
		'tutanota_quote isreplycontent replyblockquote oriattachbody mailcontent_original zmail_extra ' +
		'front-blockquote hse-quote skiptranslate_quote',
);

/** Of those that begin with the header of an earlier email, with which its text is not marked at all. */
const HEADERS = named('divrplyfwdmsg zwchr');

/** Of the words above a quotation. */
const ATTRIBUTIONS = named('moz-cite-prefix gmail_attr reply-intro mail-quote-collapse-header');

const SIGNATURES = named(
	'gmail_signature moz-signature protonmail_signature_block applemailsignature ms-outlook-mobile-signature ' +
		'composer_signature ymail_android_signature ymail_ios_signature messagesignaturesection signature ' +
		'signature_block tutanota_signature zm-_id_-sgn',
);

/** Outlook's desktop programs write the header of an earlier email below such a line, in whatever language. */
const BORDER_OF_OUTLOOK = /border-top:\s*solid\s+#(?:e1e1e1|b5c4df)\s+1\.0pt/i;

/** Paragraphs that somebody indents are such elements, too. */
const INDENT = /border(?:-left)?:\s*none/i;

const PREFIX_OF_YAHOO = 'yahoo_quoted';

const LONGEST_VALUE = 500;

/** The attributes that `meaningOf` looks at. */
export const TELLING_ATTRIBUTES = named('class id name style type cite');

/** @param name of the element, in lower case */
export function meaningOf(name: string, attributes: Attributes): ElementMeaning {
	if (attributes.size === 0) return { quoting: name === 'blockquote' ? 'possible' : 'none' };
	const names = namesOf(attributes);
	if (names.some((one) => HISTORY.has(one) || one.startsWith(PREFIX_OF_YAHOO))) {
		return { quoting: 'certain' };
	}
	if (name === 'blockquote') return { quoting: quotingOf(attributes, names) };
	const mark = markOf(attributes, names);
	return mark ? { quoting: 'none', mark } : { quoting: 'none' };
}

function quotingOf(attributes: Attributes, names: readonly string[]): Quoting {
	const isCited =
		attributes.get('type')?.toLowerCase() === 'cite' ||
		attributes.has('cite') ||
		names.some((name) => name.endsWith('quote') || name.endsWith('quoted'));
	if (isCited) return 'certain';
	return INDENT.test(attributes.get('style')?.slice(0, LONGEST_VALUE) ?? '') ? 'none' : 'possible';
}

function markOf(attributes: Attributes, names: readonly string[]): Mark | undefined {
	if (names.some((name) => HEADERS.has(name))) return 'header';
	if (names.some((name) => ATTRIBUTIONS.has(name))) return 'attribution';
	if (names.some((name) => SIGNATURES.has(name))) return 'signature';
	const style = attributes.get('style')?.slice(0, LONGEST_VALUE) ?? '';
	return BORDER_OF_OUTLOOK.test(style) ? 'header' : undefined;
}

/** By which the mail program that wrote an element calls it. */
function namesOf(attributes: Attributes): string[] {
	return ['class', 'id', 'name'].flatMap((attribute) => {
		const value = attributes.get(attribute)?.slice(0, LONGEST_VALUE).toLowerCase();
		return value === undefined ? [] : value.trim().split(/\s+/).map(withoutPrefix);
	});
}

/** Outlook on the web puts `x_` before each name, once for each time that an email was answered. */
function withoutPrefix(name: string): string {
	let start = 0;
	while (name.startsWith('x_', start)) start += 2;
	return name.slice(start);
}
