/** A number from 0 up to, but not including, 1. */
export type Random = () => number;

/** Random numbers that are the same for the same seed, so that a run can be repeated. */
export function randomFrom(seed: number): Random {
	let state = seed >>> 0;
	return () => {
		// mulberry32
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** A whole number from `from` up to and including `to`. */
export function between(random: Random, from: number, to: number): number {
	return from + Math.floor(random() * (to - from + 1));
}

/** How large the measurements are. */
export interface Size {
	name: 'full' | 'short';
	/** deliveries in queue mode: so many messages, and repeats of some */
	messages: number;
	repeats: number;
	/** beside those, deliveries that must be refused */
	refused: number;
	/** deliveries of messages that were handled long ago, after everything */
	afterwards: number;
	connections: number;
	/** crashes of the single n8n */
	crashes: number;
	/** how long a worker's lock on an execution lasts, and how often n8n looks for those that expired, in ms */
	lock: number;
	look: number;
	/** emails that come by way of a gateway while n8n is down, and up again */
	emails: number;
}

const SIZES: Record<Size['name'], Size> = {
	full: {
		name: 'full',
		messages: 4_000,
		repeats: 1_000,
		refused: 150,
		afterwards: 400,
		connections: 50,
		crashes: 20,
		// n8n's defaults
		lock: 60_000,
		look: 30_000,
		emails: 300,
	},
	short: {
		name: 'short',
		messages: 320,
		repeats: 80,
		refused: 30,
		afterwards: 60,
		connections: 50,
		crashes: 2,
		lock: 15_000,
		look: 10_000,
		emails: 60,
	},
};

/** The short one, unless the environment variable `SCALE_SIZE` says `full`. */
export function chosenSize(): Size {
	return SIZES[process.env.SCALE_SIZE === 'full' ? 'full' : 'short'];
}

/** The environment variable `SCALE_SEED` brings back a run's order and moments. */
export function chosenSeed(): number {
	return Number(process.env.SCALE_SEED ?? 1);
}

/** One delivery as its sender saw it; times in milliseconds. */
export interface Sent {
	id: string;
	sentAt: number;
	answeredAt: number;
	/** undefined when the connection failed */
	status: number | undefined;
	/** what the answer said */
	answer?: string;
	/** the port of the n8n that got it, where there are several */
	receiver?: number | undefined;
}

/** What came back for one delivery. */
export type Answer = Pick<Sent, 'status' | 'answer' | 'receiver'>;

/** Measures one delivery. */
export async function recorded(id: string, send: () => Promise<Answer>): Promise<Sent> {
	const sentAt = performance.now();
	const answer = await send();
	return { id, sentAt, answeredAt: performance.now(), ...answer };
}

/** Whether the sender may forget the message. */
export function isAccepted({ status }: Sent): boolean {
	return status !== undefined && status >= 200 && status < 300;
}

/** Sorts deliveries by message. */
export function byMessage(sent: readonly Sent[]): Map<string, Sent[]> {
	const messages = new Map<string, Sent[]>();
	for (const delivery of sent) {
		messages.set(delivery.id, [...(messages.get(delivery.id) ?? []), delivery]);
	}
	return messages;
}

/** The time within which that share of all answers came, in milliseconds. */
export function percentile(sent: readonly Sent[], share: number): number {
	const times = sent
		.filter(isAccepted)
		.map(({ sentAt, answeredAt }) => answeredAt - sentAt)
		.sort((a, b) => a - b);
	return Math.round(times[Math.floor(times.length * share)] ?? 0);
}

/** What happened to one message, in one line for whoever wonders. */
export function story(id: string, deliveries: readonly Sent[], start: number): string {
	const seconds = (time: number) => ((time - start) / 1_000).toFixed(2);
	const parts = [...deliveries]
		.sort((a, b) => a.sentAt - b.sentAt)
		.map(
			({ sentAt, answeredAt, status, answer, receiver }) =>
				`${seconds(sentAt)}-${seconds(answeredAt)} s at ${receiver}: ${status} ${answer}`,
		);
	return `${id}: ${parts.join('; ')}`;
}

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

/** Something that goes wrong while deliveries arrive. */
export interface Fault {
	name: string;
	/** resolves when everything works again */
	strike(): Promise<void>;
}

/**
 * Spreads faults evenly over a stream: each strikes while deliveries go on, and the stream waits only where
 * it would reach the next fault before the last one is over.
 *
 * @param length deliveries in the stream
 * @returns to be called before each delivery is sent, with its place; and a wait for the last fault's end
 */
export function faultsDuring(
	length: number,
	faults: readonly Fault[],
	say: (line: string) => void,
) {
	const distance = Math.ceil(length / (faults.length + 1));
	const over: Promise<void>[] = [];
	return {
		async before(place: number): Promise<void> {
			const index = Math.floor(place / distance) - 1;
			const fault = faults[index];
			if (fault && place % distance === 0) {
				await over[index - 1];
				say(fault.name);
				over[index] = fault.strike();
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

/** Why a message was started more than once; what is worse comes first. */
export type Excuse = 'apart' | 'killed' | 'unanswered' | 'together';

/** The end of a webhook processor, named by its port; in milliseconds on the clock of `Sent`. */
export interface Kill {
	receiver: number;
	at: number;
}

/**
 * Finds what stood in the way of recognising a message's repeats:
 * - `together`: two of its deliveries were under way at the same time;
 * - `unanswered`: one was answered with a 5xx or not at all, so the sender had to repeat it;
 * - `killed`: one was taken by a webhook processor in its last moments, see `lastMoments`;
 * - `apart`: nothing, each was answered before the next was sent.
 */
export function excuseFor(
	deliveries: readonly Sent[],
	isInLastMoments: (delivery: Sent) => boolean = () => false,
): Excuse {
	const inOrder = [...deliveries].sort((a, b) => a.sentAt - b.sentAt);
	const overlap = inOrder.some((delivery, index) =>
		inOrder.slice(index + 1).some(({ sentAt }) => sentAt < delivery.answeredAt),
	);
	if (overlap) return 'together';
	const inTheDark = inOrder.some((delivery) => !isAccepted(delivery) && !isRefused(delivery));
	if (inTheDark) return 'unanswered';
	return inOrder.some(isInLastMoments) ? 'killed' : 'apart';
}

/**
 * Tells the deliveries that a webhook processor took just before it was killed.
 *
 * What a processor has noted in the database, another one that had read it before overwrites. The first puts
 * that right with the next delivery it takes, and knows it for good after as many as can be under way at
 * once; if it is killed before, nobody knows of the message any more.
 *
 * @param atOnce how many deliveries can be under way
 */
export function lastMoments(sent: readonly Sent[], kills: readonly Kill[], atOnce: number) {
	const taken = sent.filter(isAccepted);
	return (delivery: Sent): boolean =>
		isAccepted(delivery) &&
		kills.some(({ receiver, at }) => {
			if (delivery.receiver !== receiver || delivery.answeredAt > at) return false;
			const later = taken.filter(
				(other) =>
					other.receiver === receiver &&
					other.answeredAt > delivery.answeredAt &&
					other.answeredAt <= at,
			);
			return later.length < atOnce;
		});
}

/** Whether nothing was started for sure. After a 5xx n8n may have recorded an execution that failed. */
function isRefused({ status }: Sent): boolean {
	return status !== undefined && status >= 400 && status < 500;
}
