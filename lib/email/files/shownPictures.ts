import { parseUrl } from '../../basics';
import type { Reading } from '../limits';
import type { LeafPart, MimePart } from '../mime/parts';
import type { TextPart } from '../mime/textParts';
import { readPictureAddresses } from './pictureAddresses';

const CONTENT_ID_ADDRESS = /^cid:/i;

/** The picture itself instead of its address. */
const EMBEDDED = /^data:/i;

/** By a Content-ID, or relative: some fax services leave out `cid:`. The names of usual schemes are shorter than nine letters. */
const MAY_REFER_TO_FILE = /cid:|src\s{0,9}=\s{0,9}["']?(?:[^"'\s:>]{9}|[^"'\s:>]{1,8}["'\s>])/i;

const WITH_SCHEME = /^\s*(?:[a-z][a-z\d+.-]{0,20}:|\/\/)/i;

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
		CONTENT_ID_ADDRESS.test(address) ||
		isRelative(address) ||
		(byLocation.size > 0 && !EMBEDDED.test(address));
	const shown = new Set<LeafPart>();
	for (const { part: htmlPart, text } of texts) {
		if (htmlPart.header.type !== 'text/html') continue;
		if (byLocation.size === 0 && !MAY_REFER_TO_FILE.test(text)) continue;
		const base = baseOf(htmlPart);
		for (const address of await readPictureAddresses(text, isWanted, reading)) {
			const isById = CONTENT_ID_ADDRESS.test(address);
			const named = isById || isRelative(address) ? byId.get(idOf(address)) : undefined;
			const parts = named ?? (isById ? undefined : byLocation.get(resolve(address, base)));
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

/** Whether an address names neither a protocol nor a host. */
function isRelative(address: string): boolean {
	return !WITH_SCHEME.test(address);
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
