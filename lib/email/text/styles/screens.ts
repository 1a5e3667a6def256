/** The width of the screen on which people read email, in pixels. */
const SCREEN = 800;

/** A condition that every screen meets, without blanks around it. */
const EVERY_SCREEN = /^(?:(?:only\s+)?(?:all|screen))?$/i;

const MAX_WIDTH = /max-(?:device-)?width\s*:\s*([\d.]+)(px|r?em)/i;

/**
 * The screens that the conditions around a rule admit: `every` one; `other` ones than people's, such as narrower ones or paper; or
 * `perhaps` those of people. It is one word, however many conditions there are.
 */
export type Screens = 'every' | 'perhaps' | 'other';

/** @param condition of one `@media`, or of a `media` attribute */
export function screensOf(condition: string): Screens {
	if (EVERY_SCREEN.test(condition.trim())) return 'every';
	return isForOtherScreens(condition) ? 'other' : 'perhaps';
}

/** @returns the screens that a condition within another one admits */
export function screensWithin(outer: Screens, inner: Screens): Screens {
	if (outer === 'other' || inner === 'other') return 'other';
	if (outer === 'perhaps' || inner === 'perhaps') return 'perhaps';
	return 'every';
}

/** Narrower ones, or paper. */
function isForOtherScreens(media: string): boolean {
	return media.split(',').every((query) => {
		if (/\b(?:not|or)\b/i.test(query)) return false;
		const [, width, unit = 'px'] = MAX_WIDTH.exec(query) ?? [];
		const pixels = Number(width) * (unit.toLowerCase() === 'px' ? 1 : 16);
		return pixels < SCREEN || /\bprint\b/i.test(query);
	});
}
