import { normalized } from '../../basics';
import type { ListedFile } from './attachmentTypes';

const TABLE = `
	asc: application/pgp-keys application/pgp-signature |
	bmp: image/bmp |
	csv: text/csv |
	doc: application/msword |
	docx: application/vnd.openxmlformats-officedocument.wordprocessingml.document |
	eml: message/rfc822 message/global |
	gif: image/gif |
	gz: application/gzip |
	heic: image/heic |
	html: text/html |
	ics: application/ics text/calendar |
	jpg: image/jpeg image/jpg |
	json: application/json |
	md: text/markdown |
	mov: video/quicktime |
	mp3: audio/mpeg |
	mp4: video/mp4 |
	ods: application/vnd.oasis.opendocument.spreadsheet |
	odt: application/vnd.oasis.opendocument.text |
	ogg: application/ogg audio/ogg |
	p7m: application/pkcs7-mime application/x-pkcs7-mime |
	p7s: application/pkcs7-signature application/x-pkcs7-signature |
	pdf: application/pdf |
	pgp: application/pgp-encrypted |
	png: image/png |
	ppt: application/vnd.ms-powerpoint |
	pptx: application/vnd.openxmlformats-officedocument.presentationml.presentation |
	rtf: application/rtf |
	svg: image/svg+xml |
	tiff: image/tiff |
	txt: text/plain text/rfc822-headers message/delivery-status message/disposition-notification message/feedback-report |
	vcf: text/vcard text/x-vcard |
	wav: audio/wav |
	webp: image/webp |
	xls: application/vnd.ms-excel |
	xlsx: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet |
	xml: application/xml text/xml |
	zip: application/x-zip-compressed application/zip`;

const TYPES_BY_EXTENSION: ReadonlyMap<string, readonly string[]> = new Map(
	TABLE.split('|').map((line) => {
		const [extension = '', ...types] = line.trim().split(/:?\s+/);
		return [extension, types];
	}),
);

/** Extensions of other file types. A file with one of these is never a PDF, for example, whatever its MIME type is. */
const OTHER_EXTENSIONS: ReadonlySet<string> = new Set(
	`7z aac ace ai apk app appx avi bat bin bmp cab chm cmd com cpl css cur dll dmg docm dot dotm dwg dxf elf eps epub exe
	flac flv gadget hta ico img indd inf ini iso jar java js jse key lnk log m4a m4v mdb mht mkv mobi mpeg mpg mpp msc msg
	msi msp mst numbers odg odp oft one opus pages pcx pif pot potx pps ppsx pptm ps psd ps1 pst pub py raw rar rb reg rpm
	scf scr sh sql swf sys tar tgz torrent ttf url vb vbe vbs vhd vsd vsdx wasm webm wma wmf wmv woff wpd wsf wsh xlam xlsb
	xlsm xlt xltm xltx xps xz yaml yml z`.split(/\s+/),
);

const SPELLINGS: ReadonlyMap<string, string> = new Map([
	['htm', 'html'],
	['ical', 'ics'],
	['jpe', 'jpg'],
	['jpeg', 'jpg'],
	['markdown', 'md'],
	['text', 'txt'],
	['tif', 'tiff'],
]);

export const EXTENSIONS: ReadonlyMap<string, string> = new Map(
	[...TYPES_BY_EXTENSION].flatMap(([extension, types]) =>
		types.map((type) => [type, extension] as const),
	),
);

const EXTENSION = /\.([\p{L}\p{N}_-]{1,15})$/u;

const MAX_TYPE = 200;

/** The names and types by which filters find a file. */
export interface FileKinds {
	/** Its name in lower case; if its extension is unknown, also the name with the extension of its type. */
	names: string[];
	types: string[];
}

/**
 * Combines the name and type of a file: a PDF sent as `application/octet-stream` is recognized by its name, and a PDF named
 * `Invoice 4.711` by its type. If the two contradict each other, the name counts.
 */
export function fileKinds({ fileName, mimeType }: ListedFile): FileKinds {
	const name = usualSpelling(normalized(fileName).toLowerCase());
	const type = mimeType.toLowerCase().slice(0, MAX_TYPE);
	const ofType = EXTENSIONS.get(type);
	const own = extensionOf(name);
	if (!isExtension(own) && !OTHER_EXTENSIONS.has(own)) {
		const names = ofType === undefined ? [name] : [name, `${name}.${ofType}`];
		return { names, types: [type] };
	}
	const types = [...(TYPES_BY_EXTENSION.get(own) ?? [])];
	const isVague = ofType === undefined && type.startsWith('application/');
	if (isVague || ofType === own) types.push(type);
	return { names: [name], types };
}

export function usualSpelling(name: string): string {
	const extension = extensionOf(name);
	const usual = SPELLINGS.get(extension);
	return usual === undefined ? name : `${name.slice(0, -extension.length)}${usual}`;
}

export function isExtension(word: string): boolean {
	return TYPES_BY_EXTENSION.has(SPELLINGS.get(word) ?? word);
}

/** The type of a file that nobody knows. */
export const UNKNOWN_TYPE = 'application/octet-stream';

/** The type of a file that has only a name. */
export function typeOfName(fileName: string): string {
	const extension = extensionOf(usualSpelling(fileName.toLowerCase()));
	return TYPES_BY_EXTENSION.get(extension)?.[0] ?? UNKNOWN_TYPE;
}

/** Whether mail programs can show a file as a picture. A name without an extension says nothing about an unknown type. */
export function mayBePicture(fileName: string, mimeType: string): boolean {
	const type = mimeType.toLowerCase();
	const extension = extensionOf(usualSpelling(fileName.toLowerCase()));
	const typesOfName = TYPES_BY_EXTENSION.get(extension) ?? [];
	if (isImage(type) || typesOfName.some(isImage)) return true;
	return type === UNKNOWN_TYPE && extension === '';
}

function isImage(type: string): boolean {
	return type.startsWith('image/');
}

/** The extension of a name or pattern, without the dot; `''` if there is none. */
export function extensionOf(name: string): string {
	return EXTENSION.exec(name)?.[1] ?? '';
}
