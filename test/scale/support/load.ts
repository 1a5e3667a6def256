import { createRandom, type Random } from '../../support/random';

/** Equal for an equal `SCALE_SEED`, so that a run can be repeated. */
export const seededRandom = (): Random => createRandom(Number(process.env.SCALE_SEED ?? 1));

export function between(random: Random, from: number, to: number): number {
	return from + random(to - from + 1);
}

const FULL = {
	/** deliveries in queue mode: messages, and repeats of some of them */
	messages: 4_000,
	repeats: 1_000,
	connections: 50,
	crashes: 20,
	/** how long a worker's lock on an execution lasts, and how often n8n looks for expired ones: n8n's defaults */
	lockMs: 60_000,
	lookMs: 30_000,
	/** emails that come through a gateway while n8n is down, and up again */
	emails: 300,
};

const SHORT: typeof FULL = {
	messages: 320,
	repeats: 80,
	connections: 50,
	crashes: 2,
	lockMs: 15_000,
	lookMs: 10_000,
	emails: 60,
};

/** The short form, unless the environment variable `SCALE_SIZE` says `full`. */
export const SIZE = process.env.SCALE_SIZE === 'full' ? FULL : SHORT;

/** One delivery as its sender saw it; times are those of `performance.now()`. */
export interface Sent {
	id: string;
	sentAt: number;
	answeredAt: number;
	/** undefined when the connection failed */
	status: number | undefined;
	/** the port of the n8n that got it, if there are several */
	receiver?: number;
}

export async function recorded(
	id: string,
	send: () => Promise<Pick<Sent, 'status' | 'receiver'>>,
): Promise<Sent> {
	const sentAt = performance.now();
	const answer = await send();
	return { id, sentAt, answeredAt: performance.now(), ...answer };
}

export function byMessage(sent: readonly Sent[]): Map<string, Sent[]> {
	const messages = new Map<string, Sent[]>();
	for (const delivery of sent) {
		messages.set(delivery.id, [...(messages.get(delivery.id) ?? []), delivery]);
	}
	return messages;
}

/** `together`: two of the same message in the same instant, one to each webhook processor. */
export interface Planned {
	id: string;
	kind: 'single' | 'together';
}

/** A repeat comes that many times the number of connections later, so that the first delivery was answered. */
const APART = 3;

/** Orders the deliveries: each message, half of the repeats together with their message, half of them later. */
export function planStream(random: Random): Planned[] {
	const { messages, repeats, connections } = SIZE;
	const later = Math.floor(repeats / 2);
	const stream: Planned[] = Array.from({ length: messages }, (_, index) => ({
		id: `scale-${index}`,
		kind: 'single',
	}));
	for (const place of somePlaces(messages, repeats - later, random)) {
		stream[place]!.kind = 'together';
	}
	const distance = APART * connections;
	const candidates = stream.slice(0, -distance).filter(({ kind }) => kind === 'single');
	for (const place of somePlaces(candidates.length, later, random)) {
		const candidate = candidates[place]!;
		const earliest = stream.indexOf(candidate) + distance;
		stream.splice(between(random, earliest, stream.length), 0, { ...candidate });
	}
	return stream;
}

function somePlaces(length: number, count: number, random: Random): Set<number> {
	const places = new Set<number>();
	while (places.size < Math.min(count, length)) places.add(between(random, 0, length - 1));
	return places;
}

/** Causes a failure while deliveries arrive, and resolves when everything works again. */
type Fault = () => Promise<void>;

/**
 * Distributes faults evenly over a stream. Deliveries go on during a fault; they wait only if the next fault begins before the last
 * one is over.
 *
 * @param length deliveries in the stream
 * @returns a function to call before each delivery, with its place, and one that waits for the end of all faults
 */
export function faultsDuring(length: number, faults: readonly Fault[]) {
	const distance = Math.ceil(length / (faults.length + 1));
	const over: Promise<void>[] = [];
	return {
		async before(place: number): Promise<void> {
			const index = Math.floor(place / distance) - 1;
			const fault = faults[index];
			if (fault && place % distance === 0) {
				await over[index - 1];
				over[index] = fault();
				// A failed one is reported by `allOver`.
				over[index].catch(() => {});
			}
			// Others that came after it wait for it too.
			if (fault && index > 0) await over[index - 1];
		},
		async allOver(): Promise<void> {
			await Promise.all(over);
		},
	};
}

/**
 * Why a message was started more than once:
 * - `together`: two of its deliveries were under way at the same time;
 * - `unanswered`: one was answered with a 5xx or not at all, so the sender had to repeat it;
 * - `killed`: a webhook processor took one just before it was killed, see `lastMoments`;
 * - `apart`: an error, because each was answered before the next was sent.
 */
export type Reason = 'apart' | 'killed' | 'unanswered' | 'together';

export function reasonFor(
	deliveries: readonly Sent[],
	isInLastMoments: (delivery: Sent) => boolean = () => false,
): Reason {
	const inOrder = [...deliveries].sort((a, b) => a.sentAt - b.sentAt);
	const overlap = inOrder.some((delivery, index) =>
		inOrder.slice(index + 1).some(({ sentAt }) => sentAt < delivery.answeredAt),
	);
	if (overlap) return 'together';
	// After a 5xx n8n may have recorded an execution that failed.
	if (inOrder.some(({ status = 500 }) => status >= 500)) return 'unanswered';
	return inOrder.some(isInLastMoments) ? 'killed' : 'apart';
}

/**
 * Finds the deliveries that a webhook processor took just before it was killed.
 *
 * Another processor can overwrite the records of a processor in the database. The first one writes them again with its next
 * deliveries; after as many as can be under way at once, they are safe. If it is killed before, its last records are lost.
 */
export function lastMoments(accepted: readonly Sent[], kill: { receiver: number; at: number }) {
	const last = accepted
		.filter(({ receiver, answeredAt }) => receiver === kill.receiver && answeredAt <= kill.at)
		.sort((a, b) => b.answeredAt - a.answeredAt)
		.slice(0, SIZE.connections);
	return (delivery: Sent): boolean => last.includes(delivery);
}
