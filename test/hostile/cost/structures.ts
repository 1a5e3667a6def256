import { writeTnef, type TnefFileToWrite } from '../../support/tnef';

/** What an email is made of. */
export interface Pieces {
	/** Fields of the email itself, with their line breaks; so are all others. */
	fields: string;
	/** Fields of containers, one text for each. */
	containers: readonly string[];
	/** Fields of the part with the HTML. */
	htmlFields: string;
	html: string;
	/** The text beside it; none if it is empty. */
	text: string;
	/** Fields of pictures, one text for each. */
	pictures: readonly string[];
}

/** A code page that is slow to decode. */
const JAPANESE = 932;

const CONTENT_ID = 0x3712;

/** Below the parts that an email may have. */
const MAX_FILES = 1950;

/** Containers within each other: fewer than an email may have. */
const DEPTH = 80;

const textPart = ({ text }: Pieces): string[] =>
	text === '' ? [] : [`Content-Type: text/plain\r\n\r\n${text}`];

const htmlPart = ({ html, htmlFields }: Pieces): string =>
	`Content-Type: text/html\r\n${htmlFields}\r\n${html}`;

const pictureParts = ({ pictures }: Pieces): string[] =>
	pictures.map((fields) => `Content-Type: image/png\r\n${fields}\r\nx`);

/** @param field with its line break */
const valueOf = (field: string): string => field.replace(/^[^:]*:\s*<?|>?\r\n$/g, '');

function fileNamed(name: string): TnefFileToWrite {
	return { title: name, content: Buffer.from('x'), properties: [[CONTENT_ID, name]] };
}

/** A part that contains others. Each boundary is used once. */
function container(type: string, name: string, parts: readonly string[], fields = ''): string {
	const lines = parts.map((part) => `--${name}\r\n${part}\r\n`).join('');
	return `Content-Type: multipart/${type}; boundary=${name}\r\n${fields}\r\n${lines}--${name}--`;
}

/** The parts in the innermost of many containers. */
function deep(name: string, { containers }: Pieces, parts: readonly string[]): string {
	let inner = container('related', `${name}x`, parts, containers[0]);
	for (let level = 1; level < DEPTH; level++) {
		inner = container('mixed', `${name}${level}x`, [inner], containers[level]);
	}
	return inner;
}

const related = (pieces: Pieces): string =>
	container(
		'related',
		'related',
		[htmlPart(pieces), ...textPart(pieces), ...pictureParts(pieces)],
		pieces.containers[0],
	);

/** @param entity fields of its content, an empty line, the body */
const emailWith = (fields: string, entity: string): string =>
	`${fields}From: Ada <ada@example.com>\r\nTo: Sales <sales@example.test>\r\nSubject: Re: Hello\r\nIn-Reply-To: <hello@example.com>\r\n${entity}`;

const attachedTo = (entity: string): string =>
	`Content-Type: message/rfc822\r\n\r\n${emailWith('', entity)}`;

function encoded(pieces: Pieces, encoding: string, body: string): string {
	const type = `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n`;
	return `${type}${pieces.htmlFields}\r\n${body}`;
}

/** How the parts of an email stand to each other. */
export const STRUCTURES = {
	whole: (pieces) =>
		emailWith(pieces.fields, pieces.text === '' ? htmlPart(pieces) : textPart(pieces).join('')),
	related: (pieces) => emailWith(pieces.fields, related(pieces)),
	alternative: (pieces) =>
		emailWith(
			pieces.fields,
			container('mixed', 'mixed', [
				container(
					'alternative',
					'both',
					[...textPart(pieces), htmlPart(pieces)],
					pieces.containers[0],
				),
				...pictureParts(pieces),
			]),
		),
	deep: (pieces) =>
		emailWith(
			pieces.fields,
			deep('d', pieces, [htmlPart(pieces), ...textPart(pieces), ...pictureParts(pieces)]),
		),
	'two branches, HTML deep': (pieces) =>
		emailWith(
			pieces.fields,
			container('mixed', 'mixed', [
				deep('d', pieces, [htmlPart(pieces), ...textPart(pieces)]),
				...pictureParts(pieces),
			]),
		),
	'two branches, pictures deep': (pieces) =>
		emailWith(
			pieces.fields,
			container('mixed', 'mixed', [
				htmlPart(pieces),
				...textPart(pieces),
				deep('d', pieces, pictureParts(pieces)),
			]),
		),
	'several texts': (pieces) => {
		const each = Math.ceil(pieces.html.length / 100);
		const texts = Array.from({ length: 100 }, (_, index) =>
			htmlPart({ ...pieces, html: pieces.html.slice(index * each, (index + 1) * each) }),
		);
		return emailWith(
			pieces.fields,
			container('related', 'r', [...texts, ...pictureParts(pieces)], pieces.containers[0]),
		);
	},
	attached: (pieces) => emailWith(pieces.fields, attachedTo(related(pieces))),
	'attached three times': (pieces) =>
		emailWith(pieces.fields, attachedTo(attachedTo(attachedTo(related(pieces))))),
	digest: (pieces) =>
		emailWith(
			pieces.fields,
			container('digest', 'digest', [
				`\r\n${emailWith('', related(pieces))}`,
				'\r\nFrom: a@b.c\r\n\r\nx',
			]),
		),
	report: (pieces) =>
		emailWith(
			pieces.fields,
			container('report', 'report', [
				htmlPart(pieces),
				`Content-Type: message/delivery-status\r\n\r\nStatus: 5.1.1\r\n\r\nFinal-Recipient: rfc822;a@b.c\r\n`,
				...pictureParts(pieces),
			]),
		),
	base64: (pieces) =>
		emailWith(
			pieces.fields,
			container('related', 'related', [
				encoded(pieces, 'base64', Buffer.from(pieces.html).toString('base64')),
				...pictureParts(pieces),
			]),
		),
	'quoted-printable': (pieces) =>
		emailWith(
			pieces.fields,
			container('related', 'related', [
				encoded(pieces, 'quoted-printable', pieces.html.replaceAll('=', '=3D')),
				...pictureParts(pieces),
			]),
		),
	'winmail.dat': (pieces) => {
		const files = pieces.pictures.slice(0, MAX_FILES).map((fields) => fileNamed(valueOf(fields)));
		const stream = writeTnef(files, pieces.text, JAPANESE).toString('base64');
		const part = `Content-Type: application/ms-tnef; name=winmail.dat\r\nContent-Transfer-Encoding: base64\r\n\r\n${stream}`;
		return emailWith(pieces.fields, container('mixed', 'mixed', [htmlPart(pieces), part]));
	},
} satisfies Record<string, (pieces: Pieces) => string>;

export type StructureName = keyof typeof STRUCTURES;

export const STRUCTURE_NAMES = Object.keys(STRUCTURES) as StructureName[];
