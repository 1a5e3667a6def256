import { isDotOrBlank, normalized, restoreWindows1252, trimEndOf } from '../../basics';
import { withoutInvisible } from '../mime/invisible';
import { EXTENSIONS, extensionOf } from './fileTypes';

/** File systems allow 255 bytes. The rest is for a unique number and the folder. */
const MAX_NAME_IN_BYTES = 200;

/** The extension is at the end. Reading more would take too long. */
const MAX_NAME_READ = 1000;

const RUN_OF_BLANKS = /[ \t]+/g;

const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]/gu;

const NO_CHARACTERS = /[\p{Cs}\p{Co}]/gu;

const REFUSED_BY_WINDOWS = /[<>:"|?*]/g;

const RESERVED_BY_WINDOWS = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])\s*(?:\.|$)/i;

/** The names of files without one, by MIME type. */
const USUAL_STEMS: ReadonlyMap<string, string> = new Map([
	['application/ics', 'invite'],
	['text/calendar', 'invite'],
]);

const DEFAULT_STEM = 'attachment';

/** Gives each file of one email a safe and unique name. */
export class FileNames {
	/** The names that were given, in lower case, each with the number of the last file that wanted it. */
	private readonly counts = new Map<string, number>();

	/** @param written by the sender; null if there is none */
	nameFor(written: string | null, mimeType: string): string {
		const safe = safeName(written ?? '');
		const ownExtension = extensionOf(safe);
		const extension = ownExtension || EXTENSIONS.get(mimeType);
		const ending = extension === undefined ? '' : `.${extension}`;
		const ownStem = trimName(safe.slice(0, safe.length - ownExtension.length));
		const maxBytes = MAX_NAME_IN_BYTES - Buffer.byteLength(ending);
		const stem = shorten(ownStem, maxBytes) || USUAL_STEMS.get(mimeType) || DEFAULT_STEM;
		return this.makeUnique(stem, ending);
	}

	private makeUnique(stem: string, ending: string): string {
		const plain = `${stem}${ending}`;
		let count = this.counts.get(plain.toLowerCase()) ?? 0;
		let unique = plain;
		while (this.counts.has(unique.toLowerCase())) {
			count += 1;
			unique = `${stem} (${count})${ending}`;
		}
		this.counts.set(plain.toLowerCase(), Math.max(count, 1));
		this.counts.set(unique.toLowerCase(), 1);
		return unique;
	}
}

/** The name of an attached email without one. A slash in a subject separates no folders. */
export function emailFileName(subject: string): string | null {
	const name = subject.replace(/[\\/]/g, '_').trim();
	return name === '' ? null : `${name}.eml`;
}

function safeName(name: string): string {
	// A signature covers neither the number of blanks nor whether one is a tab, so the name must not depend on it.
	const end = name.replace(RUN_OF_BLANKS, ' ').slice(-MAX_NAME_READ);
	const written = restoreWindows1252(end)
		.replace(CONTROL_CHARACTERS, ' ')
		.replace(NO_CHARACTERS, '');
	const visible = normalized(withoutInvisible(written));
	const lastPart = visible.split(/[\\/]/).map(trimName).findLast(Boolean) ?? '';
	const safe = lastPart.replace(REFUSED_BY_WINDOWS, '_').replace(/\s+/g, ' ');
	return RESERVED_BY_WINDOWS.test(safe) ? `_${safe}` : safe;
}

/** Leading dots hide a file; Windows drops trailing dots and spaces. */
function trimName(name: string): string {
	return trimEndOf(name.replace(/^[\s.]+/u, ''), isDotOrBlank);
}

/** A decoder in stream mode leaves out a character that is cut off. */
function shorten(text: string, bytes: number): string {
	const start = Buffer.from(text).subarray(0, bytes);
	return new TextDecoder().decode(start, { stream: true }).trimEnd();
}
