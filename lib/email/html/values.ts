import { readColor } from './colors';

const LENGTH = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?(%|[a-z]*)$/;
const UNIT =
	/^(?:%|p[xtc]|in|[cm]m|q|r?em|r?ex|r?ch|r?lh|r?cap|r?ic|(?:[sld]?v|cq)(?:[whib]|min|max))$/;

type Kind = 'color' | 'length' | 'name';

/** The value of a property that may hide an element, and is not read further. */
export const HIDES = 'hides';

const SEEN_SHARE = '(?:[1-9]|0?\\.[1-9])[\\d.]*%?';
const SHORT_LENGTH = '[+-]?(?:0|\\d{1,2}(?:\\.\\d+)?(?:px|%|em))';

/** What emails hardly have, with the values that hide nothing. */
const RARE: ReadonlyMap<string, RegExp> = new Map([
	['all', /^$/],
	['animation', /^none$/],
	['animation-name', /^none$/],
	['clip', /^auto$/],
	['clip-path', /^none$/],
	['content-visibility', /^(?:auto|visible)$/],
	['filter', /^(?:none|progid:.*|(?:(?:grayscale|sepia|saturate)\([^()]*\) ?)+)$/],
	['logical', new RegExp(`^(?:(?:auto|visible|${SHORT_LENGTH})(?: |$))+$`)],
	['logical-size', /^(?:auto|none)$/],
	['mask', /^none$/],
	['mask-image', /^none$/],
	['scale', /^none$/],
	['text-security', /^none$/],
	[
		'transform',
		new RegExp(
			`^(?:none|(?:rotatez?\\([^()]*\\) ?|scale\\(${SEEN_SHARE}(?:, ?${SEEN_SHARE})?\\) ?|translate[xy]?\\(${SHORT_LENGTH}(?:, ?${SHORT_LENGTH})?\\) ?)+)$`,
		),
	],
	['translate', /^none$/],
	['zoom', new RegExp(`^(?:normal|${SEEN_SHARE})$`)],
]);

/** The names, or the form, that can be read, what else can, and a value that hides in the place of one that cannot. */
const PROPERTIES: ReadonlyMap<string, readonly [RegExp, string, Kind?]> = new Map([
	['background-clip', [/^[a-z, -]+$/, 'border-box']],
	['background-color', [/^image$/, 'image', 'color']],
	['background-image', [/^(?:none|image)$/, 'image']],
	['bottom', [/^auto$/, '9999px', 'length']],
	['color', [/^currentcolor$/, 'transparent', 'color']],
	[
		'display',
		[
			/^(?:none|contents|flow-root|list-item|(?:inline-)?(?:block|table|flex|grid)|inline|table-(?:caption|cell|column|row|(?:column|footer|header|row)-group))$/,
			'none',
		],
	],
	['font-size', [/^(?:x{1,3}-(?:small|large)|small(?:er)?|medium|larger?)$/, '0', 'length']],
	['height', [/^(?:auto|(?:fit|max|min)-content)$/, '0', 'length']],
	['left', [/^auto$/, '-9999px', 'length']],
	['letter-spacing', [/^normal$/, '-9999px', 'length']],
	['margin-left', [/^auto$/, '-9999px', 'length']],
	['margin-top', [/^auto$/, '-9999px', 'length']],
	['max-height', [/^(?:none|(?:fit|max|min)-content)$/, '0', 'length']],
	['max-width', [/^(?:none|(?:fit|max|min)-content)$/, '0', 'length']],
	['opacity', [/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)%?$/, '0']],
	['overflow-x', [/^(?:visible|hidden|clip|scroll|auto|overlay)$/, 'hidden']],
	['overflow-y', [/^(?:visible|hidden|clip|scroll|auto|overlay)$/, 'hidden']],
	['padding-left', [/^0$/, '9999px', 'length']],
	['padding-top', [/^0$/, '9999px', 'length']],
	['position', [/^(?:static|relative|absolute|fixed|sticky)$/, 'static']],
	['right', [/^auto$/, '-9999px', 'length']],
	['text-fill-color', [/^currentcolor$/, 'transparent', 'color']],
	['text-indent', [/^0$/, '-9999px', 'length']],
	['top', [/^auto$/, '-9999px', 'length']],
	['visibility', [/^(?:visible|hidden|collapse)$/, 'hidden']],
	['white-space', [/./, 'normal']],
	['width', [/^(?:auto|(?:fit|max|min)-content)$/, '0', 'length']],
]);

/** An element has the value of the one around it, if nothing else is declared. */
const INHERITED = /^(?:color|font-size|letter-spacing|text-.*|visibility|white-space)$/;

/** These depend on the system. */
const SYSTEM_COLOR =
	/^(?:(?:accent|active|app|button|caption|field|gray|highlight|inactive|info|mark|menu|scroll|selected|threed|visited)[a-z]*|background)$/;

/** Names that depend on the direction of writing. */
const LOGICAL_SIZE = /^(?:max-)?(?:block|inline)-size$/;
const LOGICAL = /^(?:inset|(?:inset|margin|overflow|padding)-(?:block|inline).*)$/;

/** The longhands of a shorthand, by the place of their value; a missing one is the value of the other side. */
const SIDES: ReadonlyMap<string, ReadonlyArray<string | undefined>> = new Map([
	['margin', ['margin-top', undefined, undefined, 'margin-left']],
	['padding', ['padding-top', undefined, undefined, 'padding-left']],
	['overflow', ['overflow-x', 'overflow-y']],
]);

const FONT =
	/^(?:(?:normal|italic|oblique|small-caps|bold(?:er)?|lighter|[1-9]00) )*((?:\d+(?:\.\d*)?|\.\d+)(?:%|[a-z]+)|0)(?: ?\/ ?[\d.]+[a-z%]*)? ["a-z-]/;

const WORDS_OF_BACKGROUND =
	/^(?:,|\/|none|(?:no-)?repeat(?:-[xy])?|round|space|center|top|bottom|left|right|cover|contain|auto|scroll|fixed|local|[a-z]+-box|[+-]?[\d.]+(?:%|[a-z]*))$/;

/** A value that cannot be read. */
export const UNREADABLE = '?()';

/** Whether a declaration counts. */
export function isRead(property: string): boolean {
	const name = nameOf(property);
	return (
		PROPERTIES.has(name) || RARE.has(name) || SIDES.has(name) || /^(?:background|font)$/.test(name)
	);
}

function nameOf(property: string): string {
	const name = property.replace(/^-webkit-/, '');
	return LOGICAL_SIZE.test(name) ? 'logical-size' : LOGICAL.test(name) ? 'logical' : name;
}

/** Shorthands as the properties that are read. Not every program knows the names of single browsers. */
export function expand(
	property: string,
	value: string,
): Array<[name: string, value: string, isSure: boolean]> {
	const name = nameOf(property);
	const isSure = !/^-webkit-(?!text-|background-clip)/.test(property);
	const isWhole =
		value === UNREADABLE || /^(?:inherit|initial|unset|revert|revert-layer)$/.test(value);
	const sides = SIDES.get(name);
	if (sides) {
		const words = wordsOf(value);
		if (words.length > 4) return [];
		return sides.flatMap((side, place) => {
			const word = isWhole ? value : (words[place] ?? words[place - 2] ?? words[0] ?? '');
			return side === undefined ? [] : [[side, word, isSure]];
		});
	}
	if (name === 'font') {
		const size = isWhole ? value : FONT.exec(value)?.[1];
		const isReadable = size !== undefined || !value.includes('(');
		if (!isReadable) return [['font-size', UNREADABLE, isSure]];
		return size === undefined ? [] : [['font-size', size, isSure]];
	}
	if (name !== 'background') return [[name, value, isSure]];
	if (isWhole)
		return [
			['background-color', value, isSure],
			['background-image', value, isSure],
		];
	const words = wordsOf(value, /[,/]/);
	const colors = words.filter((word) => readColor(word) !== undefined);
	const others = words.filter(
		(word) => readColor(word) === undefined && !WORDS_OF_BACKGROUND.test(word),
	);
	if (colors.length > 1 || others.some((word) => !word.includes('(') && !SYSTEM_COLOR.test(word)))
		return [];
	return [
		['background-color', colors[0] ?? 'transparent', isSure],
		['background-image', others.length > 0 ? 'image' : 'none', isSure],
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
export function readValue(
	name: string,
	value: string,
): { value: string; isSure: boolean } | undefined {
	const harmless = RARE.get(name);
	if (harmless) return harmless.test(value) ? undefined : { value: HIDES, isSure: false };
	const [names, hidden, kind] = PROPERTIES.get(name) ?? [];
	if (!names || hidden === undefined) return undefined;
	const unreadable = { value: hidden, isSure: name.startsWith('background-') };
	if (value === 'initial' || value === 'unset') {
		return {
			value: value === 'unset' && INHERITED.test(name) ? 'inherit' : 'initial',
			isSure: true,
		};
	}
	if (value === 'inherit') {
		return INHERITED.test(name) || /^(?:background|display)/.test(name)
			? { value, isSure: true }
			: unreadable;
	}
	if (names.test(value)) return { value, isSure: true };
	if (value.startsWith('revert')) return unreadable;
	if (kind === 'color') {
		if (readColor(value)) return { value, isSure: true };
		return value.includes('(') || SYSTEM_COLOR.test(value) ? unreadable : undefined;
	}
	if (kind === 'length') {
		const [length, unit = ''] = LENGTH.exec(value) ?? [];
		// Only browsers of old pages read a length without a unit.
		if (length !== undefined && unit === '') return { value, isSure: parseFloat(length) === 0 };
		if (UNIT.test(unit)) return { value, isSure: true };
	}
	return value.includes('(') ? unreadable : undefined;
}
