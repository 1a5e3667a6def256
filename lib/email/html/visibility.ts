import { areAlike, blend, readColor, type Color } from './colors';
import { SHOWN_ELSEWHERE, type Styles, type Values } from './styles';
import { HIDES } from './values';

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
	'': 1,
	px: 1,
	pt: 4 / 3,
	pc: 16,
	in: 96,
	cm: 37.8,
	mm: 3.78,
	q: 0.94,
	em: 16,
	rem: 16,
	ex: 8,
	ch: 8,
	'%': 6,
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
	{ name: string; outer: Visibility; visibility: Visibility }
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
	if (last?.name === name && last.outer === outer) return last.visibility;
	const judge = (one: Values) => judgeValues(name, one, outer, couldBeDark, isGroundUnknown);
	const visibility = judge(values);
	const { display, showsText } = visibility;
	const couldHide = alternatives
		.map(judge)
		.some((one) => one.display !== display || (showsText && !one.showsText));
	visibility.isInDoubt ||= isUnknown || couldHide;
	lastJudged.set(styles, { name, outer, visibility });
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
	const opacity = outer.opacity * opacityOf(values.get('opacity'));
	const isClipped = /(?:^|[ ,])text/.test(values.get('background-clip') ?? '');
	const ground = isGroundUnknown ? undefined : backgroundOf(values, outer, couldBeDark);
	const background = isClipped ? outer.background : ground;
	const color = colorOf(values.get('color'), outer.color, outer.color);
	const fill = colorOf(values.get('text-fill-color'), outer.fill, undefined);
	const isInvisible = shown === 'inherit' ? outer.isInvisible : /^(?:hidden|collapse)$/.test(shown);
	const isHidden =
		opacity <= MAX_HIDDEN_OPACITY ||
		values.get('display') === 'none' ||
		[...values.values()].includes(HIDES) ||
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
	return sizes.some((size) => isWithin(size, MAX_HIDDEN_SIZE));
}

function isMovedAway(values: Values): boolean {
	const isAway = (length = 0) => length <= OFF_SCREEN || length >= FAR_RIGHT;
	const isTight = (pixels(values.get('letter-spacing')) ?? 0) <= -10;
	return isTight || MOVED.some((property) => isAway(pixels(values.get(property))));
}

function opacityOf(value: string | undefined): number {
	const opacity = parseFloat(value ?? '1') / (value?.endsWith('%') ? 100 : 1);
	return Number.isNaN(opacity) ? 1 : Math.max(0, Math.min(opacity, 1));
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
		MOVED.some((one) => /^-[1-9]/.test(values.get(one) ?? ''));
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
