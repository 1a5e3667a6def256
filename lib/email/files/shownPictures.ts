import type { Tokenizer, TokenizerCallbacks } from 'htmlparser2';

import { parseUrl } from '../../basics';
import type { Reading } from '../limits';
import type { LeafPart, MimePart } from '../mime/parts';
import type { TextPart } from '../mime/textParts';

// Reading this much takes a few milliseconds.
const HTML_BETWEEN_PAUSES = 50_000;

/** Characters of an attribute or style sheet in which pictures are looked for. The addresses of pictures are shorter. */
const MAX_ATTRIBUTE = 20_000;
const MAX_STYLE_SHEET = 150_000;

/** Different addresses of pictures in the HTML of one part. No email shows more. */
const MAX_ADDRESSES = 10_000;

/** Attributes that show a picture. Links are none of them, because what they refer to is not shown. */
const PICTURE_ATTRIBUTES: ReadonlySet<string> = new Set([
	'background',
	'data',
	'poster',
	'src',
	'srcset',
	'style',
]);

/** Only on the `image` of an SVG drawing; elsewhere they are links. */
const LINK_ATTRIBUTES: ReadonlySet<string> = new Set(['href', 'xlink:href']);

const CONTENT_ID_ADDRESS = /^cid:/i;

/** The picture itself instead of its address. */
const EMBEDDED = /^data:/i;

/** Outlook shows what is in these comments: `<!--[if gte vml 1]> … <![endif]-->`. */
const CONDITIONAL_COMMENT = /^\[if\b[^>]*>/i;

const STYLE_ADDRESS = /url\(\s*(?:"([^"]*)|'([^']*)|([^\s)"']*))/gi;

const BRACKETS = /^<|>$/g;

/** Addresses without a base are relative to this one (RFC 2557, 5). */
const NO_BASE = 'thismessage:/';

/**
 * Finds the parts that the HTML shows as pictures: as an image, a background or a drawing of Outlook (VML), by Content-ID
 * (RFC 2392) or Content-Location (RFC 2557). HTML without such an address costs one search.
 *
 * @param candidates parts that can be pictures
 */
export async function findShownPictures(
	texts: readonly TextPart[],
	candidates: readonly LeafPart[],
	reading: Reading,
): Promise<ReadonlySet<LeafPart>> {
	const byId = new Map<string, LeafPart[]>();
	const byLocation = new Map<string, LeafPart[]>();
	for (const part of candidates) {
		const { contentId, location } = part.header;
		if (contentId !== undefined) addTo(byId, plainId(contentId), part);
		if (location !== undefined) addTo(byLocation, resolve(location, baseOf(part)), part);
	}
	const isWanted = (address: string): boolean =>
		CONTENT_ID_ADDRESS.test(address) || (byLocation.size > 0 && !EMBEDDED.test(address));
	const shown = new Set<LeafPart>();
	for (const { part: htmlPart, text } of texts) {
		if (htmlPart.header.type !== 'text/html') continue;
		if (byLocation.size === 0 && !/cid:/i.test(text)) continue;
		const base = baseOf(htmlPart);
		for (const address of await readPictureAddresses(text, isWanted, reading)) {
			const isById = CONTENT_ID_ADDRESS.test(address);
			const parts = isById ? byId.get(idOf(address)) : byLocation.get(resolve(address, base));
			const part = parts && closestTo(htmlPart, parts);
			if (part !== undefined) shown.add(part);
		}
	}
	return shown;
}

function addTo(parts: Map<string, LeafPart[]>, key: string, part: LeafPart): void {
	const known = parts.get(key);
	if (known === undefined) parts.set(key, [part]);
	else known.push(part);
}

/** Programs write the brackets of a Content-ID, its case and its blanks differently in the HTML. */
function plainId(contentId: string): string {
	return contentId.trim().replace(BRACKETS, '').trim().toLowerCase();
}

function idOf(address: string): string {
	const written = address.replace(CONTENT_ID_ADDRESS, '');
	try {
		return plainId(decodeURIComponent(written));
	} catch {
		return plainId(written);
	}
}

/** The address to which those of a part are relative: its own, or that of a container around it. */
function baseOf({ header, parent }: LeafPart): string {
	const own = header.base ?? header.location;
	const outer = baseOfContainer(parent);
	return own === undefined ? outer : resolve(own, outer);
}

function baseOfContainer(container: MimePart | undefined): string {
	const containers: MimePart[] = [];
	for (let one = container; one !== undefined; one = one.parent) containers.push(one);
	let base = NO_BASE;
	for (const { header } of containers.toReversed()) {
		const own = header.base ?? header.location;
		if (own !== undefined) base = resolve(own, base);
	}
	return base;
}

/** An address that cannot be resolved stays as it is. */
function resolve(address: string, base: string): string {
	const written = address.replace(/\s+/g, '');
	return parseUrl(written, base)?.href ?? written;
}

/** If parts have the same address, the one in the same container is meant, and of several the first one. */
function closestTo(html: LeafPart, parts: readonly LeafPart[]): LeafPart | undefined {
	let closest = parts[0];
	if (parts.length === 1) return closest;
	for (let around = html.parent; around !== undefined; around = around.parent) {
		closest = parts.find((part) => isInContainer(part, around));
		if (closest !== undefined) return closest;
	}
	return parts[0];
}

function isInContainer({ parent }: LeafPart, container: MimePart | undefined): boolean {
	let around = parent;
	while (around !== undefined && around !== container) around = around.parent;
	return around !== undefined;
}

type IsWanted = (address: string) => boolean;

/** The addresses of the pictures in HTML, each once, as written. */
async function readPictureAddresses(
	html: string,
	isWanted: IsWanted,
	{ pace }: Reading,
): Promise<Set<string>> {
	const { Tokenizer } = await import('htmlparser2');
	const addresses = new Set<string>();
	const waiting = [html];
	for (let written = waiting.pop(); written !== undefined; written = waiting.pop()) {
		// Browsers know this section in other languages only; the tokenizer would look for its end.
		const text = written.replaceAll('<![CDATA[', '<![cdata[');
		const isComment = written !== html;
		const reader = new PictureReader(text, addresses, isWanted, isComment ? undefined : waiting);
		const tokenizer: Tokenizer = new Tokenizer({}, reader);
		for (let start = 0; start < text.length; start += HTML_BETWEEN_PAUSES) {
			const piece = text.slice(start, start + HTML_BETWEEN_PAUSES);
			if (pace.isDue(piece.length / HTML_BETWEEN_PAUSES)) await pace.pause();
			tokenizer.write(piece);
		}
		tokenizer.end();
	}
	return addresses;
}

/** Collects the addresses of pictures. The tokenizer reports positions in the HTML, and attributes in pieces. */
class PictureReader implements TokenizerCallbacks {
	/** Where the name of the current element is. It is read only if needed, because there are many. */
	private elementStart = 0;

	private elementEnd = 0;

	/** The name of the current attribute; empty for one that shows nothing. */
	private attribute = '';

	private value = '';

	/** The start of the style sheet that is being read; undefined outside of one. */
	private sheetStart: number | undefined;

	/** @param comments gets the HTML of conditional comments; undefined within one */
	constructor(
		private readonly html: string,
		private readonly addresses: Set<string>,
		private readonly isWanted: IsWanted,
		private readonly comments: string[] | undefined,
	) {}

	onopentagname(start: number, end: number): void {
		this.elementStart = start;
		this.elementEnd = end;
	}

	onattribname(start: number, end: number): void {
		const name = this.html.slice(start, end).toLowerCase();
		const isPicture =
			PICTURE_ATTRIBUTES.has(name) || (LINK_ATTRIBUTES.has(name) && this.isElement('image'));
		this.attribute = isPicture ? name : '';
		this.value = '';
	}

	onattribdata(start: number, end: number): void {
		const room = MAX_ATTRIBUTE - this.value.length;
		if (this.attribute !== '' && room > 0)
			this.value += this.html.slice(start, Math.min(end, start + room));
	}

	onattribentity(codePoint: number): void {
		if (this.attribute === '' || this.value.length >= MAX_ATTRIBUTE) return;
		this.value += String.fromCodePoint(codePoint);
	}

	onattribend(): void {
		const { attribute, value } = this;
		if (attribute === '') return;
		if (attribute === 'style') this.addStyles(value);
		else if (attribute === 'srcset') for (const one of value.split(/[\s,]+/)) this.add(one);
		else this.add(value);
	}

	onopentagend(end: number): void {
		this.sheetStart = this.isElement('style') ? end + 1 : undefined;
	}

	onselfclosingtag(end: number): void {
		this.onopentagend(end);
	}

	onclosetag(start: number): void {
		this.endSheet(start);
	}

	oncomment(start: number, end: number): void {
		const [condition] = CONDITIONAL_COMMENT.exec(this.html.slice(start, start + 200)) ?? [];
		if (condition === undefined) return;
		this.comments?.push(this.html.slice(start + condition.length, end));
	}

	onend(): void {
		this.endSheet(this.html.length);
	}

	ontext(): void {}

	ontextentity(): void {}

	oncdata(): void {}

	ondeclaration(): void {}

	onprocessinginstruction(): void {}

	private isElement(name: string): boolean {
		if (this.elementEnd - this.elementStart !== name.length) return false;
		return this.html.slice(this.elementStart, this.elementEnd).toLowerCase() === name;
	}

	private endSheet(end: number): void {
		if (this.sheetStart === undefined) return;
		this.addStyles(this.html.slice(this.sheetStart, end));
		this.sheetStart = undefined;
	}

	private addStyles(styles: string): void {
		for (const match of styles.slice(0, MAX_STYLE_SHEET).matchAll(STYLE_ADDRESS)) {
			const [, inDoubleQuotes, inSingleQuotes, plain] = match;
			this.add(inDoubleQuotes ?? inSingleQuotes ?? plain ?? '');
		}
	}

	private add(written: string): void {
		const address = written.trim();
		const isFull = this.addresses.size >= MAX_ADDRESSES;
		if (address !== '' && !isFull && this.isWanted(address)) this.addresses.add(address);
	}
}
