import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** What a delivery has to be handed on with. */
export interface KeptDelivery {
	method: string;
	/** as it came, with its question mark; empty for none */
	query: string;
	contentType: string | null;
	/** base64, so that every byte stays as it is */
	body: string;
}

export interface Kept {
	file: string;
	delivery: KeptDelivery;
}

/** What is only half written has another ending. */
const WHOLE = '.json';

/** Deliveries on disk, a file for each: what was kept once is there after a crash, whatever the moment. */
export class DiskQueue {
	/** Not handed out yet, the oldest first. */
	private readonly waiting: Kept[] = [];
	private count = 0;

	private constructor(private readonly folder: string) {}

	/** With what was left in the folder. */
	static async open(folder: string): Promise<DiskQueue> {
		await mkdir(folder, { recursive: true });
		const queue = new DiskQueue(folder);
		const files = (await readdir(folder)).filter((name) => name.endsWith(WHOLE));
		for (const name of files) {
			const file = join(folder, name);
			queue.add({ file, delivery: JSON.parse(await readFile(file, 'utf8')) as KeptDelivery });
		}
		return queue;
	}

	/** Deliveries that are on disk. */
	get size(): number {
		return this.count;
	}

	/** Resolves when the delivery is on disk: its bytes, its name, and that the folder has it. */
	async keep(delivery: KeptDelivery): Promise<void> {
		const file = join(this.folder, `${randomUUID()}${WHOLE}`);
		const handle = await open(`${file}.part`, 'w');
		await handle.writeFile(JSON.stringify(delivery));
		await handle.sync();
		await handle.close();
		await rename(`${file}.part`, file);
		const folder = await open(this.folder, 'r');
		await folder.sync();
		await folder.close();
		this.add({ file, delivery });
	}

	/** Hands one out, to one caller only. */
	next(): Kept | undefined {
		return this.waiting.shift();
	}

	/** Forgets one that was handed out. Should a crash undo it, it is handed on once more. */
	async remove({ file }: Kept): Promise<void> {
		await unlink(file);
		this.count--;
	}

	private add(kept: Kept): void {
		this.waiting.push(kept);
		this.count++;
	}
}
