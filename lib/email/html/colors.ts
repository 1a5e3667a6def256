/** Red, green and blue from 0 to 255, and opacity from 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number, alpha: number];

/** The names of CSS that emails use, and all that are nearly white. Text in another color counts as visible. */
const NAMES: ReadonlyMap<string, string> = new Map(
	(
		'aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff azure f0ffff beige f5f5dc bisque ffe4c4 black 000000 ' +
		'blanchedalmond ffebcd blue 0000ff brown a52a2a cornsilk fff8dc cyan 00ffff darkblue 00008b darkgray a9a9a9 ' +
		'darkgreen 006400 darkgrey a9a9a9 darkred 8b0000 darkslategray 2f4f4f darkslategrey 2f4f4f dimgray 696969 ' +
		'dimgrey 696969 floralwhite fffaf0 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 gray 808080 ' +
		'green 008000 grey 808080 honeydew f0fff0 indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa ' +
		'lavenderblush fff0f5 lemonchiffon fffacd lightblue add8e6 lightcyan e0ffff lightgoldenrodyellow fafad2 ' +
		'lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightyellow ffffe0 lime 00ff00 linen faf0e6 ' +
		'magenta ff00ff maroon 800000 midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 ' +
		'navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 orange ffa500 orangered ff4500 palegoldenrod eee8aa ' +
		'papayawhip ffefd5 peachpuff ffdab9 pink ffc0cb purple 800080 red ff0000 royalblue 4169e1 salmon fa8072 ' +
		'seashell fff5ee silver c0c0c0 skyblue 87ceeb slategray 708090 slategrey 708090 snow fffafa tan d2b48c ' +
		'teal 008080 thistle d8bfd8 tomato ff6347 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00'
	)
		.split(/ (?=[a-z]+ [\da-f]{6}\b)/)
		.map((entry) => entry.split(' ') as [string, string]),
);

const HEX = /^#?([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/;

const FUNCTION = /^(rgb|hsl)a?\(([^()]{1,100})\)$/;

/** WCAG 2.2, 1.4.3: 1 for the same color, 21 for black on white. Light gray (#ddd) on white has 1.36, and can be read. */
const MIN_CONTRAST = 1.2;

/** Yellow on white has hardly more contrast than white, but another hue: all channels must be as close as this. */
const MAX_DIFFERENCE = 64;

/** @returns undefined for what is no color, or one that this cannot read */
export function readColor(written: string): Color | undefined {
	const value = written.trim().toLowerCase();
	if (value === 'transparent') return [0, 0, 0, 0];
	if (value === 'linktext') return [0, 0, 238, 1];
	const hex = HEX.exec(NAMES.get(value) ?? value)?.[1];
	if (hex !== undefined) return readHex(hex);
	const [, model, list = ''] = FUNCTION.exec(value) ?? [];
	const parts = list.split(/[\s,/]+/).filter(Boolean);
	const [first = NaN, second = NaN, third = NaN] = parts.map(parseFloat);
	const alpha = parts[3] === undefined ? 1 : share(parts[3], 1);
	if (Number.isNaN(first + second + third + alpha)) return undefined;
	if (model === 'hsl') return [...fromHsl(first, second / 100, third / 100), alpha];
	const [red = 0, green = 0, blue = 0] = parts.map((part) => share(part, 255));
	return [red, green, blue, alpha];
}

/** Lays a color over another one. */
export function blend([red, green, blue, alpha]: Color, below: Color): Color {
	const mix = (upper: number, lower: number) => upper * alpha + lower * (1 - alpha);
	return [mix(red, below[0]), mix(green, below[1]), mix(blue, below[2]), 1];
}

/** Whether nobody can tell text of one color from a background of the other. */
export function areAlike(color: Color, background: Color): boolean {
	const seen = blend(color, background);
	const isNear = [0, 1, 2].every(
		(channel) => Math.abs(Number(seen[channel]) - Number(background[channel])) <= MAX_DIFFERENCE,
	);
	if (!isNear) return false;
	const [dark = 0, light = 0] = [luminance(seen), luminance(background)].sort((a, b) => a - b);
	return (light + 0.05) / (dark + 0.05) < MIN_CONTRAST;
}

function readHex(hex: string): Color {
	const digits = hex.length < 6 ? hex.replace(/./g, '$&$&') : hex;
	const [red = 0, green = 0, blue = 0, alpha = 255] = (digits.match(/../g) ?? []).map((pair) =>
		parseInt(pair, 16),
	);
	return [red, green, blue, alpha / 255];
}

function share(part: string, whole: number): number {
	return part.endsWith('%') ? (parseFloat(part) * whole) / 100 : parseFloat(part);
}

/** CSS Color 4, 7.1. */
function fromHsl(hue: number, saturation: number, lightness: number): [number, number, number] {
	const reach = saturation * Math.min(lightness, 1 - lightness);
	const channel = (offset: number) => {
		const turn = (((offset + hue / 30) % 12) + 12) % 12;
		return 255 * (lightness - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)));
	};
	return [channel(0), channel(8), channel(4)];
}

function luminance([red, green, blue]: Color): number {
	const linear = (channel: number) => {
		const value = channel / 255;
		return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
	};
	return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
