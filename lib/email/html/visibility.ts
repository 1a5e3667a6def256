import { areAlike, blend, readColor, type Color } from './colors';
import { SHOWN_ELSEWHERE, type Styles } from './styles';

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
	/** Of the nearest element that has one; undefined for a picture. */
	background: Color | undefined;
	/** Text can be read here: it is displayed, and neither too small nor in the color of the background. */
	showsText: boolean;
}

/** The page is white in mail programs, as long as an email does not say otherwise. */
export const VISIBLE: Visibility = {
	display: 'shown',
	isInvisible: false,
	fontSize: 16,
	opacity: 1,
	color: [0, 0, 0, 1],
	background: [255, 255, 255, 1],
	showsText: true,
};

export const NEVER_SHOWN: Visibility = { ...VISIBLE, display: 'elsewhere', showsText: false };

// Nobody reads smaller text, or text that lets so much shine through. In pixels and shares of one.
const MAX_HIDDEN_SIZE = 2;
const MAX_HIDDEN_OPACITY = 0.05;

/** Farther to the left or above than any layout moves anything; to the right only where nobody scrolls. */
const OFF_SCREEN = -500;
const FAR_RIGHT = 3000;

const LENGTH = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))(%|[a-z]*)$/;

/** In pixels; a percentage is one of a page that is 600 pixels wide, as emails are. */
const UNITS: Readonly<Record<string, number>> = {
	...{ '': 1, px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 37.8, mm: 3.78 },
	...{ em: 16, rem: 16, ex: 8, ch: 8, '%': 6, vw: 6, vh: 6 },
};

/** People can read them all. */
const NAMED_SIZE = /^(?:x{0,3}-?(?:small|large)|medium|initial)$/;

const SIZES = ['height', 'width', 'max-height', 'max-width'];

/** Tables are as high and as wide as what stands in them, whatever they say. */
const TABLE_PARTS: ReadonlySet<string> = new Set('table tbody td tfoot th thead tr'.split(' '));

export function visibilityOf(name: string, styles: Styles, outer: Visibility): Visibility {
	if (outer.display !== 'shown' || styles.size === 0) return outer;
	const visibility = styles.get('visibility');
	const fontSize = fontSizeOf(styles.get('font-size'), outer.fontSize);
	const opacity = outer.opacity * opacityOf(styles);
	const color = colorOf(styles, outer);
	const background = backgroundOf(styles, outer);
	const isInvisible =
		visibility === 'hidden' ||
		visibility === 'collapse' ||
		(visibility !== 'visible' && outer.isInvisible);
	const isHidden =
		opacity <= MAX_HIDDEN_OPACITY ||
		styles.get('display') === 'none' ||
		styles.get('content-visibility') === 'hidden' ||
		isCut(name, styles) ||
		isMovedAway(styles);
	const showsText =
		!isHidden && !isInvisible && fontSize > MAX_HIDDEN_SIZE && canBeRead(color, background);
	const display = !isHidden ? 'shown' : styles.has(SHOWN_ELSEWHERE) ? 'elsewhere' : 'hidden';
	return { display, isInvisible, fontSize, opacity, color, background, showsText };
}

/** By a box without any room for it. */
function isCut(name: string, styles: Styles): boolean {
	const isWithin = (property: string, limit: number) =>
		(pixels(styles.get(property)) ?? Infinity) <= limit;
	if (isWithin('max-height', 0)) return true;
	if (name === 'img') return isWithin('height', 1) || isWithin('width', 1);
	const overflow = ['overflow', 'overflow-x', 'overflow-y'].map((one) => styles.get(one));
	const isClosed = overflow.some((value) => value !== undefined && !/visible|initial/.test(value));
	const sizes = isClosed && !TABLE_PARTS.has(name) ? SIZES : [];
	if (sizes.some((size) => isWithin(size, MAX_HIDDEN_SIZE))) return true;
	const [, clip, numbers = ''] =
		/^(inset|circle|ellipse|polygon|rect)\(([^()]*)/.exec(
			styles.get('clip-path') ?? styles.get('clip') ?? '',
		) ?? [];
	if (clip === undefined) return false;
	const lengths = numbers.split(/[\s,]+/).map(parseFloat);
	if (clip === 'inset') return Number(lengths[0]) >= 50;
	if (clip === 'circle' || clip === 'ellipse') return lengths[0] === 0;
	return lengths.every((length) => !(length > 1));
}

function isMovedAway(styles: Styles): boolean {
	const moved = ['left', 'margin-left', 'margin-top', 'right', 'text-indent', 'top'];
	const transform = styles.get('transform') ?? '';
	const [, translated] = /translate(?:3d|x|y)?\(\s*([^(),\s]+)/.exec(transform) ?? [];
	const lengths = [translated, ...moved.map((property) => styles.get(property))].map(pixels);
	const isAway = (length = 0) => length <= OFF_SCREEN || length >= FAR_RIGHT;
	const [, scale] = /(?:scale(?:3d|x|y)?|matrix)\(\s*([^(),\s]+)/.exec(transform) ?? [];
	const factor = pixels(scale ?? styles.get('scale')?.split(' ', 1)[0]) ?? 1;
	return lengths.some(isAway) || Math.abs(factor) <= MAX_HIDDEN_OPACITY;
}

function opacityOf(styles: Styles): number {
	const filter = /opacity\(\s*([^()\s]+)/.exec(styles.get('filter') ?? '')?.[1];
	return [styles.get('opacity'), filter].reduce((product, value = '1') => {
		const share = parseFloat(value) / (value.endsWith('%') ? 100 : 1);
		return Number.isNaN(share) ? product : product * Math.min(share, 1);
	}, 1);
}

function fontSizeOf(value: string | undefined, outer: number): number {
	const [, length = '', unit] = LENGTH.exec(value ?? '') ?? [];
	if (unit === 'em') return outer * parseFloat(length);
	if (unit === '%') return (outer * parseFloat(length)) / 100;
	return pixels(value) ?? (NAMED_SIZE.test(value ?? '') ? VISIBLE.fontSize : outer);
}

/** @returns undefined for what is no length, or cannot be computed */
function pixels(value: string | undefined): number | undefined {
	const [, length, unit = ''] = LENGTH.exec(value ?? '') ?? [];
	const size = UNITS[unit];
	return length === undefined || size === undefined ? undefined : parseFloat(length) * size;
}

function colorOf(styles: Styles, outer: Visibility): Color | undefined {
	const declared = styles.get('color');
	const isInherited = declared === undefined || /^(?:inherit|currentcolor)$/.test(declared);
	return isInherited ? outer.color : readColor(declared);
}

function backgroundOf(styles: Styles, outer: Visibility): Color | undefined {
	if ((styles.get('background-image') ?? 'none') !== 'none') return undefined;
	const declared = styles.get('background-color');
	// Elements that are moved can stand on another one's background.
	const isMoved = /^(?:absolute|fixed)$/.test(styles.get('position') ?? '');
	const below = isMoved ? undefined : outer.background;
	if (declared === undefined || /^(?:inherit|initial|unset)$/.test(declared)) return below;
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
