import { between } from './random';
import type { Random } from './random';
import type { Size } from './size';

/**
 * What is sent at one place of the stream:
 * - `single`: one delivery through the proxy;
 * - `together`: two of the same message in the same instant, one to each webhook processor;
 * - `forged`, `malformed`: what must be refused.
 */
export type Kind = 'single' | 'together' | 'forged' | 'malformed';

export interface Planned {
	id: string;
	kind: Kind;
}

/** So many places lie between a message and its later repeat, so that the first is answered by then. */
const APART = 3;

/**
 * Orders the deliveries: each message once, half of the repeats together with their message, the other half
 * well after it, refused ones in between.
 *
 * @returns entries in the order of sending; the `together` ones stand for two deliveries each
 */
export function planStream(size: Size, random: Random): Planned[] {
	const { messages, repeats, refused, connections } = size;
	const together = Math.floor(repeats / 2);
	const later = repeats - together;
	const stream: Planned[] = Array.from({ length: messages }, (_, index) => ({
		id: `scale-${index}`,
		kind: 'single',
	}));
	const distance = APART * connections;
	for (const place of someOf(messages, together, random)) stream[place]!.kind = 'together';
	const candidates = stream
		.slice(0, messages - distance)
		.filter(({ kind }) => kind === 'single')
		.map(({ id }) => id);
	for (const place of someOf(candidates.length, later, random)) {
		const id = candidates[place]!;
		const first = stream.findIndex((entry) => entry.id === id);
		stream.splice(between(random, first + distance, stream.length), 0, { id, kind: 'single' });
	}
	for (let index = 0; index < refused; index++) {
		const kind = index % 3 === 2 ? 'malformed' : 'forged';
		stream.splice(between(random, 0, stream.length), 0, { id: `refused-${index}`, kind });
	}
	return stream;
}

/** Different places out of so many, in random order. */
function someOf(length: number, count: number, random: Random): number[] {
	const places = new Set<number>();
	while (places.size < Math.min(count, length)) places.add(between(random, 0, length - 1));
	return [...places];
}
