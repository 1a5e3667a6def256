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
 * Characters of an address or a base. A base is read again for each address that is relative to it: with a long one, thousands of
 * short addresses took minutes. A longer address is that of no picture, and a longer base counts as none.
 */
const MAX_ADDRESS = 2000;

// Resolving so many addresses takes a few milliseconds.
const ADDRESSES_BETWEEN_PAUSES = 500;

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
	const { pace } = reading;
	const bases = new Bases();
	const byId = new PartsByName();
	const byLocation = new PartsByName();
	for (const part of candidates) {
		if (pace.spend(1 / ADDRESSES_BETWEEN_PAUSES)) await pace.pause();
		const { contentId, location } = part.header;
		if (contentId !== undefined) byId.add(plainId(contentId), part);
		const address = location === undefined ? undefined : resolve(location, bases.of(part));
		if (address !== undefined) byLocation.add(address, part);
	}
	const isWanted = (address: string): boolean =>
		CONTENT_ID_ADDRESS.test(address) ||
		isRelative(address) ||
		(byLocation.size > 0 && !EMBEDDED.test(address));
	const shown = new Set<LeafPart>();
	for (const { part: htmlPart, text } of texts) {
		if (htmlPart.header.type !== 'text/html') continue;
		if (byLocation.size === 0 && !MAY_REFER_TO_FILE.test(text)) continue;
		const base = bases.of(htmlPart);
		const ids = new Set<string>();
		const locations = new Set<string>();
		for (const address of await readPictureAddresses(text, isWanted, reading)) {
			if (pace.spend(1 / ADDRESSES_BETWEEN_PAUSES)) await pace.pause();
			const isById = CONTENT_ID_ADDRESS.test(address);
			const id = isById || isRelative(address) ? idOf(address) : undefined;
			if (id !== undefined && byId.has(id)) {
				ids.add(id);
				continue;
			}
			const location = isById ? undefined : resolve(address, base);
			if (location !== undefined) locations.add(location);
		}
		for (const part of byId.closestTo(htmlPart, ids)) shown.add(part);
		for (const part of byLocation.closestTo(htmlPart, locations)) shown.add(part);
	}
	return shown;
}

/** Parts by a name that a stranger chose. Any number of parts can have the same one. */
class PartsByName {
	/** By name, then by the container around: the first part in it. The whole email is undefined. */
	private readonly parts = new Map<string, Map<MimePart | undefined, LeafPart>>();

	get size(): number {
		return this.parts.size;
	}

	has(name: string): boolean {
		return this.parts.has(name);
	}

	add(name: string, part: LeafPart): void {
		const first = this.parts.get(name) ?? new Map<MimePart | undefined, LeafPart>();
		this.parts.set(name, first);
		let around = part.parent;
		// A container in which an earlier part has the name stands in containers in which one has it, too.
		while (!first.has(around)) {
			first.set(around, part);
			around = around?.parent;
		}
	}

	/** If parts have the same name, the one in the same container as the HTML is meant, and of several the first one. */
	closestTo(html: LeafPart, names: ReadonlySet<string>): LeafPart[] {
		const closest: LeafPart[] = [];
		for (const name of names) {
			const first = this.parts.get(name);
			if (first === undefined) continue;
			let around = html.parent;
			while (!first.has(around)) around = around?.parent;
			closest.push(first.get(around) as LeafPart);
		}
		return closest;
	}
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

/** The addresses to which those of parts are relative. That of a container is made once, however many parts are in it. */
class Bases {
	private readonly ofContainers = new Map<MimePart, string>();

	/** That of a part itself, or that of a container around it. */
	of({ header, parent }: MimePart): string {
		const outer = parent === undefined ? NO_BASE : this.ofContainer(parent);
		const own = header.base ?? header.location;
		const base = own === undefined ? undefined : resolve(own, outer);
		return base !== undefined && base.length <= MAX_ADDRESS ? base : outer;
	}

	private ofContainer(container: MimePart): string {
		const known = this.ofContainers.get(container);
		if (known !== undefined) return known;
		const base = this.of(container);
		this.ofContainers.set(container, base);
		return base;
	}
}

/** @returns undefined for one that is too long. One that cannot be resolved stays as it is. */
function resolve(address: string, base: string): string | undefined {
	if (address.length > MAX_ADDRESS) return undefined;
	const written = address.replace(/\s+/g, '');
	return parseUrl(written, base)?.href ?? written;
}
