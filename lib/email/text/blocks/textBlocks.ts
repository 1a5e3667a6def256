import type { Pace } from '../../../basics';
import { OUTSIDE, type Block, type Surroundings } from './blocks';
import { quoteMarks } from './quoteMarks';

const NONE = [] as const;

// Reading this many takes a few milliseconds.
const LINES_BETWEEN_PAUSES = 4000;

/**
 * A plain text becomes blocks of its lines, which stay as they were written.
 *
 * @param maxLines because each takes memory
 * @returns undefined for a text with more
 */
export async function textBlocks(
	text: string,
	maxLines: number,
	pace: Pace,
): Promise<readonly Block[] | undefined> {
	const lines = text.split('\n', maxLines + 1);
	if (lines.length > maxLines) return undefined;
	const quotations = new Map<string, Surroundings>();
	const blocks: Block[] = [];
	let breaks = '';
	let above = '';
	for (const line of lines) {
		if (pace.spend(1 / LINES_BETWEEN_PAUSES)) await pace.pause();
		breaks += '\n';
		const marks = quoteMarks(line, above);
		above = marks === '' ? line : '';
		if (marks === '' && line.trim() === '') {
			breaks += line;
			continue;
		}
		const words = line.slice(marks.length);
		let around = OUTSIDE;
		if (marks !== '') {
			around = quotations.get(marks) ?? quotedBy(marks);
			quotations.set(marks, around);
		}
		blocks.push({
			kind: 'written',
			breaks,
			runs: words === '' ? NONE : [{ gap: '', text: words, marks: NONE, address: undefined }],
			items: NONE,
			around,
		});
		breaks = '';
	}
	return blocks;
}

function quotedBy(marks: string): Surroundings {
	const depth = marks.replace(/[^>]+/g, '').length;
	return {
		...OUTSIDE,
		container: { kind: 'quotation', outer: undefined, depth, quoteMarks: marks },
	};
}
