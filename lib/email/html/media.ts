import { MAYBE, NO, YES } from './selectors';

/** A light screen on which people read email, and a phone, in pixels. */
export const DESKTOP = 800;
export const PHONE = 375;

const WIDTH = /^\((min|max)-(?:device-)?width:(\d+(?:\.\d+)?|\.\d+)(px|em|rem)\)$/;

/** What such a screen is like, and what it is not. */
const MET =
	/^\((?:any-)?(?:hover:hover|pointer:fine|prefers-color-scheme:light|-webkit-min-device-pixel-ratio:0|-webkit-transform-3d|color)\)$/;
const NOT_MET =
	/^\((?:any-)?(?:hover:none|pointer:coarse|prefers-color-scheme:dark|prefers-reduced-motion:reduce|forced-colors:active|-ms-[^()]*|-moz-[^()]*)\)$/;

/** Whether rules for these media apply; maybe, if a condition is not known. */
export function matchMedia(query: string, width: number): number {
	const written = query
		.toLowerCase()
		.replace(/\s+/g, ' ')
		.replace(/(?<=[(:]) | (?=[):])/g, '');
	const lists = written.split(',');
	return Math.max(...lists.map((list) => matchOne(list.trim(), width)));
}

function matchOne(list: string, width: number): number {
	const [, modifier, written = ''] = /^(not |only )?(.*)$/.exec(list) ?? [];
	const matches = written.split(/ ?\band\b ?/).map((one) => matchCondition(one.trim(), width));
	const match = Math.min(...matches);
	return modifier === 'not ' ? YES - match : match;
}

function matchCondition(condition: string, width: number): number {
	if (/^(?:all|screen)?$/.test(condition) || MET.test(condition)) return YES;
	// Other media are printers, and names for single mail programs.
	if (/^[\w -]+$/.test(condition) || NOT_MET.test(condition)) return NO;
	const [, bound, length, unit] = WIDTH.exec(condition) ?? [];
	if (bound === undefined) return MAYBE;
	const pixels = Number(length) * (unit === 'px' ? 1 : 16);
	return (bound === 'min' ? width >= pixels : width <= pixels) ? YES : NO;
}
