import type { Block } from './blocks';
import { writeLine } from './plainText';

/** Blocks of a text that is too long are written whenever there are so many blocks and runs again. */
const PIECES_AT_ONCE = 2000;

/** The blocks of a text, in its order. Too many are written as plain text at once, because each takes memory. */
export class BlockList {
	private blocks: Block[] = [];

	/** Blocks, and runs in them, that are not written. */
	private pieces = 0;

	/** Plain text; undefined as long as all blocks can be kept. */
	private written: string[] | undefined;

	/** @param maxPieces blocks and runs that are kept */
	constructor(private readonly maxPieces: number) {}

	add(block: Block): void {
		this.blocks.push(block);
		this.pieces += 1 + block.runs.length;
		const room = this.written === undefined ? this.maxPieces : PIECES_AT_ONCE;
		if (this.pieces > room) this.write();
	}

	/** The blocks, or the plain text of too many. Nothing can be added after it. */
	result(): readonly Block[] | string {
		if (this.written === undefined) return this.blocks;
		this.write();
		return this.written.join('');
	}

	private write(): void {
		const text: string[] = [];
		for (const block of this.blocks) text.push(block.breaks, writeLine(block));
		this.written ??= [];
		this.written.push(text.join(''));
		this.blocks = [];
		this.pieces = 0;
	}
}
