/**
 * How a text takes up its room:
 * - `same`: many units with one value
 * - `spelled`: many units with one value, in upper and lower case
 * - `different`: many units, each with another value
 * - `several`: some units with long values, as many as each is long
 * - `long`, `words`: one unit with a long value, of letters or of words
 * - `deep`: units within each other, or one unit with a value of brackets within each other
 */
export const WAYS = ['same', 'spelled', 'different', 'several', 'long', 'words', 'deep'] as const;

export type Way = (typeof WAYS)[number];

/** What is repeated. */
export interface Repeated {
	way: Way;
	/** Its value is `$`. */
	unit: string;
	/** Ends a unit that others can stand in. */
	close?: string;
}

const NAME = 'aaaaaaaaaaaaaaaa';

/** @returns units that have about so many characters together, at least one */
export function unitsOf({ way, unit, close = '' }: Repeated, room: number): string[] {
	const withValue = (value: string): string => unit.split('$').join(value) + close;
	const many = (valueOf: (index: number) => string): string[] => {
		const units: string[] = [];
		for (let length = 0, index = 0; length < room; index++) {
			const next = withValue(valueOf(index));
			units.push(next);
			length += next.length;
		}
		return units;
	};
	switch (way) {
		case 'same':
			return many(() => NAME);
		case 'spelled':
			return many(spelling);
		case 'different':
			return many((index) => `a${index}`);
		case 'several':
			return many(() => 'a'.repeat(Math.ceil(Math.sqrt(room))));
		case 'long':
			return [withValue('a'.repeat(room))];
		case 'words':
			return [withValue('a b '.repeat(room / 4))];
		case 'deep':
			if (close === '') return [withValue('('.repeat(room / 2) + ')'.repeat(room / 2))];
			return [nested(unit.split('$').join(NAME), close, room)];
	}
}

function nested(open: string, close: string, room: number): string {
	const depth = Math.ceil(room / (open.length + close.length));
	return `${open.repeat(depth)}x${close.repeat(depth)}`;
}

/** The same name for a reader to whom case makes no difference. */
function spelling(index: number): string {
	const letters = [...NAME].map((letter, bit) =>
		(index >> bit) & 1 ? letter.toUpperCase() : letter,
	);
	return letters.join('');
}
