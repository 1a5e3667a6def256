import type { ContentHeader } from './contentHeader';

/** Reading this many parts takes a few milliseconds. */
export const PARTS_BETWEEN_PAUSES = 200;

/** A part of an email, or the email itself (RFC 2046, 5.1): a container of other parts, or a leaf. */
export interface MimePart {
	/** The container around it; undefined for the email itself. */
	parent: MimePart | undefined;
	/** Its place in that container, from 0. */
	index: number;
	header: ContentHeader;
}

/** A part that is not a container; positions are indices into the body of the email. */
export interface LeafPart extends MimePart {
	bodyStart: number;
	/** The line break before a boundary belongs to the boundary. */
	bodyEnd: number;
}

/** The closest container of this type around a part, such as the `multipart/alternative` that it is a version in. */
export function closestContainer({ parent }: MimePart, type: string): MimePart | undefined {
	let container = parent;
	while (container !== undefined && container.header.type !== type) container = container.parent;
	return container;
}
