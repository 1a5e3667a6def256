import { NO_ATTRIBUTES, type Attributes, type Tag } from '../html/elements';

/** Elements in which mail programs put an earlier email and nothing else, by class, id or name. */
const NAMES_OF_QUOTATIONS: ReadonlySet<string> = new Set([
	'front-blockquote',
	'hse-quote',
	'isreplycontent',
	'mail-editor-reference-message-container',
	'mailcontent_original',
	'ms-outlook-mobile-reference-message',
	'olk_src_body_section',
	'oriattachbody',
	'replyblockquote',
	'skiptranslate_quote',
	'tutanota_quote',
	'yahoo_quoted',
	'zmail_extra',
]);

const NAME_BY_GMX = 'quote';

const MAX_NAMES = 500;

/** Outlook on the web puts this before each name, once for each time that an email was answered. */
const PREFIX_OF_OUTLOOK = 'x_';

const YAHOO_WITH_NUMBER = /^yahoo_quoted_\d+$/;

/** Whether an element is a quotation, by its own name or by one that a mail program gives it. */
export function isQuotation({ name, breaks, isVoid }: Tag, attributes: Attributes): boolean {
	if (name === 'blockquote') return true;
	if (attributes === NO_ATTRIBUTES || breaks === 0 || isVoid) return false;
	if (attributes.name === NAME_BY_GMX) return true;
	const { class: classes, id, name: given } = attributes;
	return hasNameOfQuotation(classes) || hasNameOfQuotation(id) || hasNameOfQuotation(given);
}

function hasNameOfQuotation(written: string | undefined): boolean {
	if (written === undefined) return false;
	const names = written.slice(0, MAX_NAMES).toLowerCase().split(/\s+/);
	return names.some((name) => NAMES_OF_QUOTATIONS.has(plainName(name)));
}

function plainName(name: string): string {
	let start = 0;
	while (name.startsWith(PREFIX_OF_OUTLOOK, start)) start += PREFIX_OF_OUTLOOK.length;
	return name.slice(start).replace(YAHOO_WITH_NUMBER, 'yahoo_quoted');
}
