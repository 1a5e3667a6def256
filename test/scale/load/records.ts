/** One delivery as its sender saw it; times in milliseconds. */
export interface Sent {
	id: string;
	sentAt: number;
	answeredAt: number;
	/** undefined when the connection failed */
	status: number | undefined;
}

/** Why a message was started more than once; what is worse comes first. */
export type Excuse = 'apart' | 'unanswered' | 'together';

/** Measures one delivery. */
export async function recorded(id: string, send: () => Promise<number | undefined>): Promise<Sent> {
	const sentAt = performance.now();
	const status = await send();
	return { id, sentAt, answeredAt: performance.now(), status };
}

/** Whether the sender may forget the message. */
export function isAccepted({ status }: Sent): boolean {
	return status !== undefined && status >= 200 && status < 300;
}

/** Whether nothing was started for sure. After a 5xx n8n may have recorded an execution that failed. */
function isRefused({ status }: Sent): boolean {
	return status !== undefined && status >= 400 && status < 500;
}

/**
 * What stood in the way of recognising a message's repeats:
 * - `together`: two of its deliveries were under way at the same time;
 * - `unanswered`: one was answered with a 5xx or not at all, so the sender had to repeat it;
 * - `apart`: nothing, each was answered before the next was sent.
 */
export function excuseFor(deliveries: readonly Sent[]): Excuse {
	const inOrder = [...deliveries].sort((a, b) => a.sentAt - b.sentAt);
	const overlap = inOrder.some((delivery, index) =>
		inOrder.slice(index + 1).some(({ sentAt }) => sentAt < delivery.answeredAt),
	);
	if (overlap) return 'together';
	const inTheDark = inOrder.some((delivery) => !isAccepted(delivery) && !isRefused(delivery));
	return inTheDark ? 'unanswered' : 'apart';
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
