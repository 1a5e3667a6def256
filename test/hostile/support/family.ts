/** What a stranger, or a service on their behalf, can send. */
export type Hostile =
	/** A raw email, as in `data.rawEmail` of a delivery. */
	| { rawEmail: string }
	/** The service's own record of an email, without the raw one (contract, section 2.3). */
	| { message: Record<string, unknown> }
	/** The body of an answer with an error status. */
	| { answer: string }
	/** The body of a delivery. */
	| { delivery: string };

/** Inputs of one kind, in any size. */
export interface Family {
	/** Names what is repeated, such as `links without quotes`; unique among all families. */
	name: string;
	/**
	 * @param size approximate number of characters of the whole input
	 * @returns the same content in each place that could contain it, at least one
	 */
	make(size: number): Hostile[];
}

/** Repeats a piece, or what is made for each number, until it has `size` characters. */
export function fill(size: number, piece: string | ((index: number) => string)): string {
	if (typeof piece === 'string') return piece.repeat(Math.ceil(size / piece.length));
	const pieces: string[] = [];
	for (let length = 0, index = 0; length < size; index++) {
		const next = piece(index);
		pieces.push(next);
		length += next.length;
	}
	return pieces.join('');
}

const FRAME = [
	'From: Ada <ada@example.com>',
	'To: Sales <sales@example.test>',
	'Subject: Hello',
	'Date: Sat, 21 Nov 2026 10:00:00 +0000',
	'Message-ID: <hello@example.com>',
	'MIME-Version: 1.0',
];

/** A raw email with these headers before the usual ones. */
export function email(headers: string[], body: string): string {
	return [...headers, ...FRAME, '', body].join('\r\n');
}

/** A raw email whose body is of this type. */
export function emailOf(type: string, body: string, encoding = '8bit'): string {
	return email([`Content-Type: ${type}`, `Content-Transfer-Encoding: ${encoding}`], body);
}

/** A raw email whose body has these parts, each with its headers before an empty line. */
export function emailOfParts(type: string, ...parts: string[][]): string {
	const lines = parts.flatMap((part) => ['--part', ...part]);
	return emailOf(`${type}; boundary=part`, [...lines, '--part--', ''].join('\r\n'));
}

/** Repeats an opening, then its closing, as often as a text of this size can contain them. */
export function nest(size: number, open: string, close: string, innermost = ''): string {
	const depth = Math.ceil(size / (open.length + close.length));
	return open.repeat(depth) + innermost + close.repeat(depth);
}

/** Text that is repeated, or created in a size. */
export type Piece = string | ((size: number) => string);

export const made = (piece: Piece, size: number): string =>
	typeof piece === 'string' ? fill(size, piece) : piece(size);

/** A piece that fills the space between two texts. */
export const around =
	(start: string, piece: Piece, end = '') =>
	(size: number): string =>
		`${start}${made(piece, size)}${end}`;

/** A piece that is different each time. */
export const numbered =
	(piece: (index: number) => string) =>
	(size: number): string =>
		fill(size, piece);

/** A family for each row: each of its pieces, in each place that could contain it. */
export type Rows = Array<[name: string, ...pieces: Piece[]]>;

export function familiesOf(kind: string, rows: Rows, hide: (text: string) => Hostile[]): Family[] {
	return rows.map(([name, ...pieces]) => ({
		name: `${kind}: ${name}`,
		make: (size) => pieces.flatMap((piece) => hide(made(piece, size))),
	}));
}

/** The service's record of an email. */
export const record = (fields: Record<string, unknown>): Hostile => ({
	message: { id: '1', ...fields },
});

/** A family for each row, by its name. */
export function toFamilies(rows: Record<string, Family['make']>): Family[] {
	return Object.entries(rows).map(([name, make]) => ({ name, make }));
}
