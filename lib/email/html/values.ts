import { readColor } from './colors';

const LENGTH = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?(%|[a-z]*)$/;
const UNIT =
	/^(?:%|p[xtc]|in|[cm]m|q|r?em|r?ex|r?ch|r?lh|r?cap|r?ic|(?:[sld]?v|cq)(?:[whib]|min|max))$/;

/** The value of a property that may hide an element, and is not read further. */
export const HIDES = 'hides';

/** A value that cannot be read. */
export const UNREADABLE = '?()';

const SEEN_SHARE = '(?:[1-9]|0?\\.[1-9])[\\d.]*%?';
const SHORT_LENGTH = '[+-]?(?:0|\\d{1,2}(?:\\.\\d+)?(?:px|%|em))';

/**
 * A value that hides in the place of one that cannot be read, the names that can be read, and what else can. Of what emails
 * hardly have, the names hide nothing, and nothing else is read.
 */
const ROWS: Array<[properties: string, hidden: string, names: RegExp, kind?: 'color' | 'length']> =
	[
		['all', HIDES, /^$/],
		[
			'animation animation-name clip-path mask mask-image scale text-security translate',
			HIDES,
			/^none$/,
		],
		['background-clip', 'border-box', /^[a-z, -]+$/],
		['background-color', 'image', /^image$/, 'color'],
		['background-image', 'image', /^(?:none|image)$/],
		['bottom', '9999px', /^auto$/, 'length'],
		['clip', HIDES, /^auto$/],
		['color text-fill-color', 'transparent', /^currentcolor$/, 'color'],
		['content-visibility', HIDES, /^(?:auto|visible)$/],
		[
			'display',
			'none',
			/^(?:none|contents|flow-root|list-item|(?:inline-)?(?:block|table|flex|grid)|inline|table-(?:caption|cell|column|row|(?:column|footer|header|row)-group))$/,
		],
		['filter', HIDES, /^(?:none|progid:.*|(?:(?:grayscale|sepia|saturate)\([^()]*\) ?)+)$/],
		['font-size', '0', /^(?:x{1,3}-(?:small|large)|small(?:er)?|medium|larger?)$/, 'length'],
		['height width', '0', /^(?:auto|(?:fit|max|min)-content)$/, 'length'],
		['left margin-left margin-top right top', '-9999px', /^auto$/, 'length'],
		['letter-spacing', '-9999px', /^normal$/, 'length'],
		['logical', HIDES, new RegExp(`^(?:(?:auto|visible|${SHORT_LENGTH})(?: |$))+$`)],
		['logical-size', HIDES, /^(?:auto|none)$/],
		['max-height max-width', '0', /^(?:none|(?:fit|max|min)-content)$/, 'length'],
		['opacity', '0', /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)%?$/],
		['overflow-x overflow-y', 'hidden', /^(?:visible|hidden|clip|scroll|auto|overlay)$/],
		['padding-left padding-top', '9999px', /^0$/, 'length'],
		['position', 'static', /^(?:static|relative|absolute|fixed|sticky)$/],
		['text-indent', '-9999px', /^0$/, 'length'],
		[
			'transform',
			HIDES,
			new RegExp(
				`^(?:none|(?:rotatez?\\([^()]*\\) ?|scale\\(${SEEN_SHARE}(?:, ?${SEEN_SHARE})?\\) ?|translate[xy]?\\(${SHORT_LENGTH}(?:, ?${SHORT_LENGTH})?\\) ?)+)$`,
			),
		],
		['visibility', 'hidden', /^(?:visible|hidden|collapse)$/],
		['white-space', 'normal', /./],
		['zoom', HIDES, new RegExp(`^(?:normal|${SEEN_SHARE})$`)],
	];

const PROPERTIES = new Map(
	ROWS.flatMap(([properties, ...row]) => properties.split(' ').map((name) => [name, row])),
);

/** An element has the value of the one around it, if nothing else is declared. */
const INHERITED = /^(?:color|font-size|letter-spacing|text-.*|visibility|white-space)$/;

/** These depend on the system. */
const SYSTEM_COLOR =
	/^(?:(?:accent|active|app|button|caption|field|gray|highlight|inactive|info|mark|menu|scroll|selected|threed|visited)[a-z]*|background)$/;

/** Names that depend on the direction of writing. */
const LOGICAL_SIZE = /^(?:max-)?(?:block|inline)-size$/;
const LOGICAL = /^(?:inset|(?:inset|margin|overflow|padding)-(?:block|inline).*)$/;

/** The longhands of a shorthand, each with the place of its value; a missing value is that of the other side. */
const SIDES: ReadonlyMap<string, ReadonlyArray<readonly [side: string, place: number]>> = new Map([
	[
		'margin',
		[
			['margin-top', 0],
			['margin-left', 3],
		],
	],
	[
		'padding',
		[
			['padding-top', 0],
			['padding-left', 3],
		],
	],
	[
		'overflow',
		[
			['overflow-x', 0],
			['overflow-y', 1],
		],
	],
]);

const FONT =
	/^(?:(?:normal|italic|oblique|small-caps|bold(?:er)?|lighter|[1-9]00) )*((?:\d+(?:\.\d*)?|\.\d+)(?:%|[a-z]+)|0)(?: ?\/ ?[\d.]+[a-z%]*)? ["a-z-]/;

const WORDS_OF_BACKGROUND =
	/^(?:,|\/|none|(?:no-)?repeat(?:-[xy])?|round|space|center|top|bottom|left|right|cover|contain|auto|scroll|fixed|local|[a-z]+-box|[+-]?[\d.]+(?:%|[a-z]*))$/;

/** Instead of a value of its own. */
const WHOLE = /^(?:inherit|initial|unset|revert|revert-layer)$/;

const ONE_OF = /^(?:min|max|clamp)\(([^()]{1,100})\)$/;

export interface ReadValue {
	name: string;
	value: string;
	/** Undefined for one that every program reads; else the number of a reading of the whole declaration. */
	alternative: number | undefined;
}

/** Whether a declaration counts. */
export function isRead(property: string): boolean {
	const name = nameOf(property);
	return PROPERTIES.has(name) || SIDES.has(name) || /^(?:background|font)$/.test(name);
}

/** The values that a declaration sets, or could set. Those that browsers leave out are missing. */
export function readDeclaration(property: string, value: string): ReadValue[] {
	const name = nameOf(property);
	// Not every program knows the names of single browsers.
	const isKnown = !/^-webkit-(?!text-|background-clip)/.test(property);
	const [length = '', ...others] = ONE_OF.exec(value)?.[1]?.split(',') ?? [value];
	if (others.length === 0) return readLonghands(name, length.trim(), isKnown);
	return [length, ...others].flatMap((one, index) =>
		readLonghands(name, one.trim(), false).map((read) => ({ ...read, alternative: index + 2 })),
	);
}

function readLonghands(property: string, value: string, isKnown: boolean): ReadValue[] {
	return longhandsOf(property, value).flatMap(([name, written]) => {
		const read = readValue(name, written);
		if (!read) return [];
		// What some programs read does not take the place of what cannot be read.
		const alternative = isKnown && read.isSure ? undefined : read.value === written ? 0 : 1;
		return { name, value: read.value, alternative };
	});
}

function nameOf(property: string): string {
	const name = property.replace(/^-webkit-/, '');
	return LOGICAL_SIZE.test(name) ? 'logical-size' : LOGICAL.test(name) ? 'logical' : name;
}

/** A shorthand as the properties that are read. */
function longhandsOf(name: string, value: string): Array<[name: string, value: string]> {
	const isWhole = value === UNREADABLE || WHOLE.test(value);
	const sides = SIDES.get(name);
	if (sides) {
		const words = isWhole ? [value] : wordsOf(value);
		if (words.length > 4) return [];
		return sides.map(([side, place]) => [side, words[place] ?? words[place - 2] ?? words[0] ?? '']);
	}
	if (name === 'font') {
		const size = isWhole ? value : FONT.exec(value)?.[1];
		if (size === undefined && !value.includes('(')) return [];
		return [['font-size', size ?? UNREADABLE]];
	}
	if (name !== 'background') return [[name, value]];
	const words = isWhole ? [] : wordsOf(value, /[,/]/);
	const colors = words.filter((word) => readColor(word) !== undefined);
	const others = words.filter(
		(word) => readColor(word) === undefined && !WORDS_OF_BACKGROUND.test(word),
	);
	if (colors.length > 1 || others.some((word) => !word.includes('(') && !SYSTEM_COLOR.test(word)))
		return [];
	return [
		['background-color', isWhole ? value : (colors[0] ?? 'transparent')],
		['background-image', isWhole ? value : others.length > 0 ? 'image' : 'none'],
	];
}

/** The words of a value; a function with what is in its parentheses is one. */
function wordsOf(value: string, separator = / /): string[] {
	const words = [''];
	let depth = 0;
	for (const character of value) {
		const isBetween = depth === 0 && (character === ' ' || separator.test(character));
		if (character === '(') depth++;
		else if (character === ')') depth--;
		if (!isBetween) words[words.length - 1] += character;
		else words.push(character, '');
	}
	return words.map((word) => word.trim()).filter(Boolean);
}

/** @returns undefined for what browsers leave out */
function readValue(name: string, value: string): { value: string; isSure: boolean } | undefined {
	const [hidden, names, kind] = PROPERTIES.get(name) ?? [];
	if (!names || hidden === undefined) return undefined;
	const read = { value, isSure: true };
	const unreadable = { value: hidden, isSure: name.startsWith('background-') };
	if (hidden === HIDES) return names.test(value) ? undefined : unreadable;
	const isInherited = INHERITED.test(name);
	if (value === 'unset') return { value: isInherited ? 'inherit' : 'initial', isSure: true };
	if (value === 'inherit' && !isInherited && !/^(?:background|display)/.test(name))
		return unreadable;
	if (/^(?:inherit|initial)$/.test(value) || names.test(value)) return read;
	if (value.startsWith('revert')) return unreadable;
	if (kind === 'color' && readColor(value)) return read;
	const [length, unit = ''] = (kind === 'length' && LENGTH.exec(value)) || [];
	// Only browsers of old pages read a length without a unit.
	if (length !== undefined && unit === '') return { value, isSure: parseFloat(length) === 0 };
	if (UNIT.test(unit)) return read;
	const isUnreadable = value.includes('(') || (kind === 'color' && SYSTEM_COLOR.test(value));
	return isUnreadable ? unreadable : undefined;
}
