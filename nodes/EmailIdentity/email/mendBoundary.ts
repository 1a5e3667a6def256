import { readMimeStructure } from './mimeStructure';

// A line that looks like a boundary, before something that looks like a part's header or a blank line.
const LIKELY_BOUNDARY =
	/(?:^|\n)--([^\s"\\][^\r\n"\\]{0,199}?)[ \t]{0,9}\r?\n(?=[\w-]{1,99}:|\r?\n)/;

/**
 * Some programs name one boundary in the header and write another, or name none. The one that was written is put in a
 * header before all others, where it counts; without any, the body is read as plain text.
 *
 * @returns undefined when the email is no container.
 */
export function mendBoundary(
	rawEmail: string,
): { rawEmail: string; addedHeaders: number } | undefined {
	const { header, headerEnd } = readMimeStructure(rawEmail);
	if (!header.type.startsWith('multipart/')) return undefined;
	const written = LIKELY_BOUNDARY.exec(rawEmail.slice(headerEnd))?.[1];
	const type = written === undefined ? 'text/plain' : `${header.type}; boundary="${written}"`;
	return { rawEmail: `Content-Type: ${type}\r\n${rawEmail}`, addedHeaders: 1 };
}
