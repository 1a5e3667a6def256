import { extensionOf, FILE_EXTENSIONS } from './fileExtensions';
import type { ListedFile } from './types';
import { normalized } from '../lib/text';

/** What a file may be taken for, by its name and by its type together. */
export interface FileKinds {
	/** Its name in lower case; also with the extension that its type stands for, where its own says nothing. */
	names: string[];
	/** Its type, and those that its extension stands for. */
	types: string[];
}

/** Other ways to write an extension, and what it is written as in `FILE_EXTENSIONS`. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
	['htm', 'html'],
	['ical', 'ics'],
	['jpe', 'jpg'],
	['jpeg', 'jpg'],
	['markdown', 'md'],
	['text', 'txt'],
	['tif', 'tiff'],
]);

/** So is called what no better name was found for. */
const SAYS_NOTHING = 'dat';

/** The types that an extension stands for. */
const TYPES = new Map<string, string[]>();
for (const [type, extension] of Object.entries(FILE_EXTENSIONS)) {
	if (extension !== SAYS_NOTHING) TYPES.set(extension, [...(TYPES.get(extension) ?? []), type]);
}

/** What a stranger writes as a type is compared no further. */
const LONGEST_TYPE = 200;

/**
 * What a file may be taken for: a PDF that was sent as `application/octet-stream` is one by its name, and one without a
 * name, or with a name such as `Invoice 4.711`, by its type.
 */
export function fileKinds({ fileName, mimeType }: ListedFile): FileKinds {
	const name = usualSpelling(normalized(fileName).toLowerCase());
	const type = mimeType.toLowerCase().slice(0, LONGEST_TYPE);
	const byName = TYPES.get(extensionOf(name));
	if (byName !== undefined) return { names: [name], types: [...byName, type] };
	const extension = FILE_EXTENSIONS[type];
	return {
		names: extension === undefined ? [name] : [name, `${name}.${extension}`],
		types: [type],
	};
}

/** Writes the extension of a name, or of a pattern for names, in the way that all spellings of it share. */
export function usualSpelling(name: string): string {
	const extension = extensionOf(name);
	const usual = SPELLINGS.get(extension);
	return usual === undefined ? name : `${name.slice(0, -extension.length)}${usual}`;
}

/** Whether a word in lower case, without a dot, is the extension of a kind of file that is known. */
export function isExtension(word: string): boolean {
	return TYPES.has(SPELLINGS.get(word) ?? word);
}

/** Whether a file is a picture that is shown in the text, such as the logo in a signature. */
export function isPicture({ inline, mimeType }: ListedFile): boolean {
	return inline && mimeType.toLowerCase().startsWith('image/');
}
