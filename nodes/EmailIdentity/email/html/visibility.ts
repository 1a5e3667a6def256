/** Emails hide a preview for the list of emails, and padding after it. */
export interface Visibility {
	/** With all elements within it, whatever their style. */
	hidden: boolean;
	/** By a font of size 0, or `visibility`: elements within it are visible again if their style says so. */
	tiny: boolean;
	invisible: boolean;
}

export const VISIBLE: Visibility = { hidden: false, tiny: false, invisible: false };

export const HIDDEN: Visibility = { ...VISIBLE, hidden: true };

const HIDING_STYLE = /(?:^|;)\s*display\s*:\s*none/i;

/** Hides an element when it is nothing. */
const EXTENT = /(?:^|;)\s*(?:max-height|opacity)\s*:\s*([^;]*)/gi;

const NOTHING = /^(?:0*\.)?0+(?:px|pt|em|rem|%)?[ \t]*(?:!|$)/i;

/** Hides from Outlook alone; links that stand in for a button drawn for Outlook have it, and others see them. */
const HIDING_FROM_OUTLOOK = /(?:^|;)\s*mso-hide\s*:\s*all/i;

const FONT_SIZE = /(?:^|;)\s*font-size\s*:\s*([^;\s]+)/i;

const RELATIVE_SIZE = /^[\d.]+(?:em|%)|^inherit|^smaller|^larger/i;

const VISIBILITY = /(?:^|;)\s*visibility\s*:\s*(hidden|collapse|visible)/i;

export function visibilityOf(
	name: string,
	attributes: ReadonlyMap<string, string>,
	outer: Visibility,
): Visibility {
	const style = attributes.get('style');
	if (style === undefined) return attributes.has('hidden') ? { ...outer, hidden: true } : outer;
	const visibility = VISIBILITY.exec(style)?.[1]?.toLowerCase();
	return {
		hidden:
			outer.hidden ||
			attributes.has('hidden') ||
			isHidingStyle(style) ||
			(name !== 'a' && HIDING_FROM_OUTLOOK.test(style)),
		tiny: isTiny(FONT_SIZE.exec(style)?.[1], outer.tiny),
		invisible: visibility === undefined ? outer.invisible : visibility !== 'visible',
	};
}

function isHidingStyle(style: string): boolean {
	if (HIDING_STYLE.test(style)) return true;
	return [...style.matchAll(EXTENT)].some(([, extent = '']) => NOTHING.test(extent));
}

function isTiny(fontSize: string | undefined, outer: boolean): boolean {
	if (fontSize === undefined) return outer;
	return parseFloat(fontSize) === 0 || (outer && RELATIVE_SIZE.test(fontSize));
}

export function isShown({ hidden, tiny, invisible }: Visibility): boolean {
	return !hidden && !tiny && !invisible;
}
