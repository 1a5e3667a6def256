/** The names that emails have; all others are colors that are not read. */
const COLOR_NAMES: ReadonlyMap<string, string> = new Map(
	(
		'aqua 00ffff,black 000000,blue 0000ff,fuchsia ff00ff,gray 808080,green 008000,grey 808080,lime 00ff00,maroon 800000,' +
		'navy 000080,olive 808000,orange ffa500,purple 800080,red ff0000,silver c0c0c0,teal 008080,white ffffff,yellow ffff00'
	)
		.split(',')
		.map((entry) => entry.split(' ') as [name: string, digits: string]),
);

export const WHITE = 'ffffff';

const HEX = /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/;

const RGB = /^rgba?\( ?(\d{1,3}) ?[, ] ?(\d{1,3}) ?[, ] ?(\d{1,3}) ?(?:[,/] ?([\d.]+) ?)?\)$/;

/**
 * Reads a color of CSS in lower case.
 *
 * @returns six digits, or `transparent`; undefined for all that is no plain color, or not read
 */
export function readColor(value: string): string | undefined {
	if (value === 'transparent') return value;
	return readHex(value) ?? readRgb(value) ?? COLOR_NAMES.get(value);
}

function readHex(value: string): string | undefined {
	const written = HEX.exec(value)?.[1];
	if (written === undefined) return undefined;
	const isShort = written.length < 6;
	const digits = isShort ? written.replace(/./g, '$&$&') : written;
	const alpha = digits.slice(6);
	return withAlpha(digits.slice(0, 6), alpha === '' ? 1 : parseInt(alpha, 16) / 255);
}

function readRgb(value: string): string | undefined {
	const [rgb, red, green, blue, alpha = '1'] = RGB.exec(value) ?? [];
	if (rgb === undefined) return undefined;
	let digits = '';
	for (const channel of [red, green, blue]) {
		const share = Math.min(Number(channel), 255);
		digits += share.toString(16).padStart(2, '0');
	}
	return withAlpha(digits, Number(alpha));
}

/** @returns undefined for a color through which people see another one */
function withAlpha(digits: string, alpha: number): string | undefined {
	if (alpha >= 1) return digits;
	return alpha === 0 ? 'transparent' : undefined;
}
