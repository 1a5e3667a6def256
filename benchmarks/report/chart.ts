import type { Curve, Growth } from '../types';
import { shortNumber } from './numbers';

const WIDTH = 640;
const HEIGHT = 360;
const MARGIN = { top: 48, right: 24, bottom: 52, left: 72 };
const TICKS = 5;

/** Readable on light and dark pages, and by people who see colours differently. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73'];

interface Scale {
	most: number;
	step: number;
}

/** Draws a growth as an SVG with linear axes from zero: what grows linearly is a straight line. */
export function drawChart({ title, xLabel, yLabel, curves }: Growth): string {
	const points = curves.flatMap((curve) => curve.points);
	const x = scaleTo(Math.max(...points.map((point) => point.x)));
	const y = scaleTo(Math.max(...points.map((point) => point.y)));
	const atX = (value: number) =>
		round(MARGIN.left + (value / x.most) * (WIDTH - MARGIN.left - MARGIN.right));
	const atY = (value: number) =>
		round(HEIGHT - MARGIN.bottom - (value / y.most) * (HEIGHT - MARGIN.top - MARGIN.bottom));
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-family="system-ui, sans-serif" font-size="12">`,
		`<title>${escaped(title)}</title>`,
		`<rect width="${WIDTH}" height="${HEIGHT}" rx="8" fill="#ffffff"/>`,
		`<text x="${MARGIN.left}" y="24" font-size="15" font-weight="600" fill="#1f2328">${escaped(title)}</text>`,
		...ticks(y).map(
			(value) =>
				`<path d="M${MARGIN.left} ${atY(value)}H${WIDTH - MARGIN.right}" stroke="#d8dee4"/><text x="${MARGIN.left - 8}" y="${atY(value) + 4}" text-anchor="end" fill="#59636e">${shortNumber(value)}</text>`,
		),
		...ticks(x).map(
			(value) =>
				`<text x="${atX(value)}" y="${HEIGHT - MARGIN.bottom + 18}" text-anchor="middle" fill="#59636e">${shortNumber(value)}</text>`,
		),
		`<text x="${(MARGIN.left + WIDTH - MARGIN.right) / 2}" y="${HEIGHT - 12}" text-anchor="middle" fill="#1f2328">${escaped(xLabel)}</text>`,
		`<text transform="translate(18 ${(MARGIN.top + HEIGHT - MARGIN.bottom) / 2}) rotate(-90)" text-anchor="middle" fill="#1f2328">${escaped(yLabel)}</text>`,
		...curves.map((curve, index) => drawCurve(curve, index, atX, atY)),
		'</svg>',
		'',
	].join('\n');
}

function drawCurve(
	{ label, points }: Curve,
	index: number,
	atX: (value: number) => number,
	atY: (value: number) => number,
): string {
	const colour = COLOURS[index % COLOURS.length];
	const line = points.map(({ x, y }) => `${atX(x)} ${atY(y)}`).join('L');
	const dots = points.map(
		({ x, y }) => `<circle cx="${atX(x)}" cy="${atY(y)}" r="3.5" fill="${colour}"/>`,
	);
	const legend = MARGIN.top + 8 + index * 18;
	return [
		`<path d="M${line}" fill="none" stroke="${colour}" stroke-width="2"/>`,
		...dots,
		`<path d="M${MARGIN.left + 12} ${legend}h18" stroke="${colour}" stroke-width="3"/>`,
		`<text x="${MARGIN.left + 36}" y="${legend + 4}" fill="#1f2328">${escaped(label)}</text>`,
	].join('');
}

function ticks({ most, step }: Scale): number[] {
	return Array.from({ length: Math.round(most / step) + 1 }, (_, index) => index * step);
}

/** Ends at a round number at or above the largest value. */
function scaleTo(largest: number): Scale {
	const rough = largest / TICKS;
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
	const chosen = step ?? rough;
	return { step: chosen, most: Math.ceil(largest / chosen) * chosen };
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}
