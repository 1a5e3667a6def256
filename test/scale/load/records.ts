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
