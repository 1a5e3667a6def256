import { isAccepted } from './records';
import type { Sent } from './records';

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
