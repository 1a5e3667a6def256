import { areAlike, blend, readColor, type Color } from './colors';
import { SHOWN_ELSEWHERE, type Styles, type Values } from './styles';

/** What people see of an element. What is hidden within one that is not displayed cannot be shown again. */
export interface Visibility {
	/** `'elsewhere'`: phones show it, or nobody would take it for text, such as a script. */
	display: 'shown' | 'hidden' | 'elsewhere';
	/** By `visibility`: elements within are visible again if their style says so. */
	isInvisible: boolean;
	/** In pixels. */
	fontSize: number;
	opacity: number;
	/** Undefined if it cannot be told. */
	color: Color | undefined;
	/** In the place of the color, if it is set. */
	fill: Color | undefined;
	/** Of the nearest element that has one; undefined for a picture. */
	background: Color | undefined;
	/** Text can be read here: it is displayed, and neither too small nor in the color of the background. */
	showsText: boolean;
	/** Styles that could not be read in full could hide it. */
	isInDoubt: boolean;
}

/** The page is white in mail programs, as long as an email does not say otherwise. */
export const VISIBLE: Visibility = {
	display: 'shown',
	isInvisible: false,
	fontSize: 16,
	opacity: 1,
	color: [0, 0, 0, 1],
	fill: undefined,
	background: [255, 255, 255, 1],
	showsText: true,
	isInDoubt: false,
};

export const NEVER_SHOWN: Visibility = { ...VISIBLE, display: 'elsewhere', showsText: false };

// Nobody reads smaller text, or text that lets so much shine through. In pixels and shares of one.
const MAX_HIDDEN_SIZE = 2;
const MAX_HIDDEN_OPACITY = 0.05;

/** Farther to the left or above than any layout moves anything; to the right only where nobody scrolls. */
const OFF_SCREEN = -500;
const FAR_RIGHT = 3000;

const LENGTH = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(%|[a-z]*)$/;

/** In pixels; a percentage is one of a page that is 600 pixels wide, as emails are. */
const UNITS: Readonly<Record<string, number>> = {
	...{ '': 1, px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 37.8, mm: 3.78, q: 0.94 },
	...{ em: 16, rem: 16, ex: 8, ch: 8, '%': 6 },
};

/** Of the view, and of the font. */
const OTHER_UNIT = 6;

/** People can read them all. */
const NAMED_SIZE = /small|large|medium|initial/;

const SIZES = ['height', 'width', 'max-height', 'max-width'];

/** Tables are as high and as wide as what stands in them, whatever they say. */
const TABLE_PARTS: ReadonlySet<string> = new Set('table tbody td tfoot th thead tr'.split(' '));

const MOVED = [
	'bottom',
	'left',
	'margin-left',
	'margin-top',
	'padding-left',
	'padding-top',
	'right',
	'text-indent',
	'top',
];

/** How an element with these styles was judged the last time: those beside it are alike. */
const lastJudged = new WeakMap<
	Styles,
	{ name: string; outer: Visibility; couldBeDark: boolean; visibility: Visibility }
>();

/**
 * @param couldBeDark whether the email has a picture or a background, on which an element that is moved could stand
 */
export function visibilityOf(
	name: string,
	styles: Styles,
	outer: Visibility,
	couldBeDark: boolean,
): Visibility {
	const { values, alternatives, isUnknown, isGroundUnknown } = styles;
	if (outer.display !== 'shown') return outer;
	if (values.size === 0 && alternatives.length === 0 && !isUnknown && !isGroundUnknown)
		return outer;
	const last = lastJudged.get(styles);
	const isAlike = last?.name === name && last.outer === outer && last.couldBeDark === couldBeDark;
	if (isAlike) return last.visibility;
	const judge = (one: Values) => judgeValues(name, one, outer, couldBeDark, isGroundUnknown);
	const visibility = judge(values);
	const { display, showsText } = visibility;
	const couldHide = alternatives
		.map(judge)
		.some((one) => one.display !== display || (showsText && !one.showsText));
	visibility.isInDoubt ||= isUnknown || couldHide;
	lastJudged.set(styles, { name, outer, couldBeDark, visibility });
	return visibility;
}

function judgeValues(
	name: string,
	values: Values,
	outer: Visibility,
	couldBeDark: boolean,
	isGroundUnknown: boolean,
): Visibility {
	const shown = values.get('visibility') ?? 'inherit';
	const fontSize = fontSizeOf(values.get('font-size'), outer.fontSize);
	const opacity = outer.opacity * opacityOf(values);
	const isClipped = /(?:^|[ ,])text/.test(values.get('background-clip') ?? '');
	const ground = isGroundUnknown ? undefined : backgroundOf(values, outer, couldBeDark);
	const background = isClipped ? outer.background : ground;
	const color = colorOf(values.get('color'), outer.color, outer.color);
	const fill = colorOf(values.get('text-fill-color'), outer.fill, undefined);
	const isInvisible = shown === 'inherit' ? outer.isInvisible : /^(?:hidden|collapse)$/.test(shown);
	const isHidden =
		opacity <= MAX_HIDDEN_OPACITY ||
		values.get('display') === 'none' ||
		values.get('content-visibility') === 'hidden' ||
		values.get('mask') === 'image' ||
		/circle|disc|square/.test(values.get('text-security') ?? '') ||
		isCut(name, values) ||
		isMovedAway(values);
	// Of such text only the background is seen.
	const ink = isClipped && (fill ?? color)?.[3] === 0 ? ground : (fill ?? color);
	const showsText =
		!isHidden && !isInvisible && fontSize > MAX_HIDDEN_SIZE && canBeRead(ink, background);
	const display = !isHidden ? 'shown' : values.has(SHOWN_ELSEWHERE) ? 'elsewhere' : 'hidden';
	const { isInDoubt } = outer;
	return { display, isInvisible, fontSize, opacity, color, fill, background, showsText, isInDoubt };
}

/** By a box without any room for it. */
function isCut(name: string, values: Values): boolean {
	const isWithin = (property: string, limit: number) =>
		(pixels(values.get(property)) ?? Infinity) <= limit;
	if (isWithin('max-height', 0)) return true;
	if (name === 'img') return isWithin('height', 1) || isWithin('width', 1);
	const overflow = ['overflow-x', 'overflow-y'].map((one) => values.get(one));
	const isClosed = overflow.some((value) => value !== undefined && !/visible|initial/.test(value));
	const sizes = isClosed && !TABLE_PARTS.has(name) ? SIZES : [];
	if (sizes.some((size) => isWithin(size, MAX_HIDDEN_SIZE))) return true;
	return isClipped(values.get('clip-path') ?? '') || isClipped(values.get('clip') ?? '');
}

function isClipped(shape: string): boolean {
	const [, name, written = ''] = /^(inset|circle|ellipse|polygon|rect)\(([^()]*)/.exec(shape) ?? [];
	const words = written.replace(/ round .*/, '').split(/[\s,]+/);
	const lengths = words.map(parseFloat);
	const [top = NaN, right = top, bottom = top, left = right] = lengths;
	// An inset in pixels is compared with a line of text.
	const covers = (first: number, second: number) => first + second >= 100;
	if (name === 'inset') return covers(top, bottom) || covers(right, left);
	if (name === 'circle') return top === 0;
	if (name === 'ellipse') return top === 0 || right === 0;
	if (name === 'polygon') {
		const isFlat = (axis: number) =>
			lengths.every((one, at) => at % 2 !== axis || Math.abs(one - Number(lengths[axis])) <= 1);
		return isFlat(0) || isFlat(1);
	}
	return name === 'rect' && (bottom - top <= 1 || right - left <= 1);
}

function isMovedAway(values: Values): boolean {
	const isAway = (length = 0) => length <= OFF_SCREEN || length >= FAR_RIGHT;
	if (MOVED.some((property) => isAway(pixels(values.get(property))))) return true;
	if ((values.get('translate') ?? '').split(' ').some((one) => isAway(pixels(one)))) return true;
	if ((pixels(values.get('letter-spacing')) ?? 0) <= -10) return true;
	const factors =
		`${values.get('scale') ?? ''} ${values.get('zoom') ?? ''}`.match(/[\d.]+%?/g) ?? [];
	if (factors.some((factor) => shareOf(factor) <= MAX_HIDDEN_OPACITY)) return true;
	for (const [, name = '', written = ''] of (values.get('transform') ?? '').matchAll(
		/\b([a-z\d]+)\(([^()]*)/g,
	)) {
		const words = written.trim().split(/[\s,]+/);
		const numbers = words.map(shareOf);
		if (name.startsWith('translate') && words.some((one) => isAway(pixels(one)))) return true;
		const isFlat = numbers.slice(0, 2).some((one) => Math.abs(one) <= MAX_HIDDEN_OPACITY);
		if (/^scale(?!z)/.test(name) && isFlat) return true;
		const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = numbers;
		if (
			name === 'matrix' &&
			(Math.abs(a * d - b * c) <= MAX_HIDDEN_OPACITY ** 2 || isAway(x) || isAway(y))
		)
			return true;
	}
	return false;
}

function opacityOf(values: Values): number {
	const filters = [...(values.get('filter') ?? '').matchAll(/opacity\( ?([^()\s]+)/g)];
	return [values.get('opacity') ?? '1', ...filters.map(([, one = '']) => one)].reduce(
		(product, value) => {
			const share = shareOf(value);
			return Number.isNaN(share) ? product : product * Math.max(0, Math.min(share, 1));
		},
		1,
	);
}

function shareOf(value: string): number {
	return parseFloat(value) / (value.endsWith('%') ? 100 : 1);
}

function fontSizeOf(value: string | undefined, outer: number): number {
	const [, length = '', unit] = LENGTH.exec(value ?? '') ?? [];
	if (unit === 'em') return outer * parseFloat(length);
	if (unit === '%') return (outer * parseFloat(length)) / 100;
	return pixels(value) ?? (NAMED_SIZE.test(value ?? '') ? VISIBLE.fontSize : outer);
}

/** @returns undefined for what is no length */
function pixels(value: string | undefined): number | undefined {
	const [, length, unit = ''] = LENGTH.exec(value ?? '') ?? [];
	return length === undefined ? undefined : parseFloat(length) * (UNITS[unit] ?? OTHER_UNIT);
}

function colorOf(
	declared: string | undefined,
	outer: Color | undefined,
	current: Color | undefined,
): Color | undefined {
	if (declared === undefined || declared === 'inherit') return outer;
	if (declared === 'currentcolor') return current;
	return declared === 'initial' ? VISIBLE.color : readColor(declared);
}

function backgroundOf(values: Values, outer: Visibility, couldBeDark: boolean): Color | undefined {
	if (values.get('background-image') === 'image') return undefined;
	const declared = values.get('background-color');
	// Elements that are moved can stand on another one.
	const isMoved =
		/^(?:absolute|fixed)$/.test(values.get('position') ?? '') ||
		[...MOVED, 'transform', 'translate'].some((one) => /^-[1-9]|\(-/.test(values.get(one) ?? ''));
	const below = isMoved && couldBeDark ? undefined : outer.background;
	if (declared === undefined || /^(?:inherit|initial)$/.test(declared)) return below;
	const color = readColor(declared);
	if (color === undefined || color[3] === 1) return color;
	return below && blend(color, below);
}

/** Transparent text cannot be read on any background. */
function canBeRead(color: Color | undefined, background: Color | undefined): boolean {
	if (color === undefined) return true;
	if (color[3] <= MAX_HIDDEN_OPACITY) return false;
	return background === undefined || !areAlike(color, background);
}
