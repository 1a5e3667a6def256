import { WHITE } from './colors';

/** What an element declares, by property. An empty value is not known: it hides nothing. */
export type Values = ReadonlyMap<string, string>;

export const UNKNOWN = '';

/** How people see what stands in an element. */
export interface ComputedStyle {
	/** Nothing within it is seen, whatever its own styles. */
	isHidden: boolean;
	visibility: string;
	/** In pixels. */
	fontSize: number;
	/** Six digits, `transparent`, or empty for a color that is not known. */
	color: string;
	/** Of the nearest background: six digits, or empty if it is not known. */
	ground: string;
	/** Something in the email could put another ground below any text, so that no ground is known. */
	isCovered: boolean;
	isPreformatted: boolean;
	/** People can read text that stands here. */
	showsText: boolean;
}

interface Styled {
	/** In pixels. */
	fontSize: number;
	ground: string;
	/** Cuts off what is outside of its box. */
	isClosed: boolean;
}

type Test = (value: string, element: Styled) => boolean;

/** The page is white in mail programs, as long as an email does not say otherwise. */
export const VISIBLE: ComputedStyle = {
	isHidden: false,
	visibility: 'visible',
	fontSize: 16,
	color: '000000',
	ground: WHITE,
	isCovered: false,
	isPreformatted: false,
	showsText: true,
};

export const HIDDEN: ComputedStyle = { ...VISIBLE, isHidden: true, showsText: false };

/** Nobody reads what is smaller, in pixels, or more transparent. */
const MAX_HIDDEN_SIZE = 2;
const MAX_HIDDEN_OPACITY = 0.05;

/** Farther to the left or above than any layout moves anything. */
const OFF_SCREEN = -500;

const CSS_NUMBER = '([+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+))';
const LENGTH = new RegExp(`^${CSS_NUMBER}(em|pt|px)?$`);
const SHARE = new RegExp(`^${CSS_NUMBER}(%)?$`);

export const isInvisible = (visibility: string): boolean =>
	visibility === 'hidden' || visibility === 'collapse';

const isLow = (value: string, limit: number): boolean => {
	const height = pixelsOf(value) ?? -1;
	return height >= 0 && height <= limit;
};

const isCut: Test = (value, { isClosed }) => isClosed && isLow(value, MAX_HIDDEN_SIZE);

const isMovedAway: Test = (value) => (pixelsOf(value) ?? 0) <= OFF_SCREEN;

/**
 * The styles that hide words; all others hide nothing. `docs/trigger.md` has the same list. Each of them hides only if no rule that
 * is in the email, and counts on a wide screen, could change it. Words can stay that people do not see: there are other ways to hide them.
 */
export const HIDES: Readonly<Record<string, Test>> = {
	display: (value) => value === 'none',
	visibility: isInvisible,
	opacity: (value) => (shareOf(value) ?? 1) <= MAX_HIDDEN_OPACITY,
	'font-size': (_, { fontSize }) => fontSize <= MAX_HIDDEN_SIZE,
	'max-height': (value, element) => isLow(value, 0) || isCut(value, element),
	height: isCut,
	left: isMovedAway,
	top: isMovedAway,
	'margin-left': isMovedAway,
	'margin-top': isMovedAway,
	'text-indent': isMovedAway,
	color: (value, { ground }) => ground !== '' && (value === 'transparent' || value === ground),
};

/** Elements have these from the one around them, unless they say otherwise. */
const INHERITED: ReadonlySet<string> = new Set(['color', 'font-size', 'visibility']);

const CLOSED = /\bhidden\b/;
const PREFORMATTED = /^(?:break-spaces|pre)/;

/** The style of an element within another one. */
export function computeStyle(values: Values, outer: ComputedStyle): ComputedStyle {
	if (outer.isHidden || values.size === 0) return outer;
	const fontSize = fontSizeOf(ownValue(values, 'font-size'), outer.fontSize);
	const { isCovered } = outer;
	const ground = isCovered ? UNKNOWN : (ownValue(values, 'background') ?? outer.ground);
	const isClosed = CLOSED.test(values.get('overflow') ?? '');
	const element: Styled = { fontSize, ground, isClosed };
	for (const [property, value] of values) {
		if (!INHERITED.has(property) && hides(property, value, element)) return HIDDEN;
	}
	const visibility = ownValue(values, 'visibility') ?? outer.visibility;
	const color = ownValue(values, 'color') ?? outer.color;
	const showsText =
		!hides('visibility', visibility, element) &&
		!hides('font-size', '', element) &&
		!hides('color', color, element);
	const whiteSpace = ownValue(values, 'white-space');
	const isPreformatted =
		whiteSpace === undefined ? outer.isPreformatted : PREFORMATTED.test(whiteSpace);
	return {
		isHidden: false,
		visibility,
		fontSize,
		color,
		ground,
		isCovered,
		isPreformatted,
		showsText,
	};
}

function ownValue(values: Values, property: string): string | undefined {
	const value = values.get(property);
	return value === 'inherit' ? undefined : value;
}

function hides(property: string, value: string, element: Styled): boolean {
	return HIDES[property]?.(value, element) ?? false;
}

/** Whether a value could show again what another one hides. */
export function mightShow(property: string, value: string): boolean {
	if (property === 'overflow') return !CLOSED.test(value);
	const fontSize = fontSizeOf(value, VISIBLE.fontSize);
	const element = { fontSize, ground: UNKNOWN, isClosed: true };
	const hides = HIDES[property];
	return hides !== undefined && !hides(value, element);
}

function fontSizeOf(value: string | undefined, outer: number): number {
	if (value === undefined) return outer;
	if (value.endsWith('%')) {
		const share = shareOf(value);
		if (share !== undefined) return share * outer;
	}
	return pixelsOf(value, outer) ?? VISIBLE.fontSize;
}

/** @returns undefined for what is no length, or in another unit */
function pixelsOf(value: string, em = VISIBLE.fontSize): number | undefined {
	const [, written, unit] = LENGTH.exec(value) ?? [];
	if (written === undefined) return undefined;
	const number = Number(written);
	switch (unit) {
		case 'em':
			return number * em;
		case 'pt':
			return (number * 4) / 3;
		case 'px':
			return number;
		default:
			return number === 0 ? number : undefined;
	}
}

/** @returns undefined for what is neither a number nor a percentage */
function shareOf(value: string): number | undefined {
	const [, written, percent] = SHARE.exec(value) ?? [];
	if (written === undefined) return undefined;
	const number = Number(written);
	return percent === undefined ? number : number / 100;
}
