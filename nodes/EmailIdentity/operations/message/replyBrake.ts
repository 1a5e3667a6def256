import { createHash } from 'crypto';
import type { INode } from 'n8n-workflow';

import { BoundedMap, LogThrottle, mailboxKey, monotonicNow } from '../../../../lib/basics';
import { readSubject } from '../../../../lib/email';
import { failWorkflow } from '../../shared/failedExecutions';
import type { Item } from '../operation';
import { isInEditor } from '../session';

/** Replies to one mailbox within an hour. Two workflows that answer each other send twice as many, at most eighteen. */
const MAX_REPLIES = {
	/** With the same subject. A person who reads each reply and answers it takes longer. */
	ofTopic: 6,
	/** With any subject, because a robot may write another one each time. */
	inAll: 9,
};

const HOUR_MS = 3_600_000;

/** Of mailboxes and topics. A stranger can make each of them with an email that gets a reply. */
const MAX_KEYS = 20_000;

/**
 * Ends circles of programs that answer each other: counts the emails that leave, because robots do not mark what they write,
 * and services do not name the email that they answer. Each process of n8n counts for itself.
 */
export class ReplyBrake {
	/** Times by digest, see `monotonicNow`. */
	private readonly times = new BoundedMap<string, number[]>(MAX_KEYS);

	constructor(private readonly now: () => number = monotonicNow) {}

	/**
	 * Counts a reply.
	 *
	 * @param account of the service, as any text
	 * @returns false if there were too many: then it does not count and must not be sent
	 */
	allows(account: string, to: string, subject: string): boolean {
		const counters = this.countersFor(account, to, subject);
		if (counters.some(({ isReached }) => isReached)) return false;
		for (const counter of counters) counter.count();
		return true;
	}

	/** Forgets a reply that was counted, and then not sent. */
	takeBack(account: string, to: string, subject: string): void {
		for (const counter of this.countersFor(account, to, subject)) counter.takeBack();
	}

	private countersFor(account: string, to: string, subject: string): Counter[] {
		const mailbox = mailboxKey(to);
		const topic = readSubject(subject).topic.replace(/\p{Nd}+/gu, '0');
		return [
			this.counter([account, mailbox, topic], MAX_REPLIES.ofTopic),
			this.counter([account, mailbox], MAX_REPLIES.inAll),
		];
	}

	private counter(facts: string[], limit: number): Counter {
		// A digest, because a stranger chooses the length.
		const key = createHash('sha256').update(JSON.stringify(facts)).digest('base64');
		const now = this.now();
		const recent = (this.times.get(key) ?? []).filter((time) => now - time < HOUR_MS);
		return {
			isReached: recent.length >= limit,
			count: () => void this.times.set(key, [...recent, now]),
			takeBack: () => void this.times.set(key, recent.slice(0, -1)),
		};
	}
}

interface Counter {
	isReached: boolean;
	count(): void;
	takeBack(): void;
}

const brake = new ReplyBrake();

/** For each node. */
const reports = new LogThrottle(HOUR_MS);

/**
 * Counts an email to somebody who wrote to this account. Runs in the editor do not count, because a person watches them.
 *
 * @returns false if there were too many: it must not be sent. Then n8n's log and the error workflow hear of it, once an hour
 */
export function mayReply({ context }: Item, to: string, subject: string): boolean {
	if (isInEditor(context)) return true;
	const node = context.getNode();
	if (brake.allows(accountOf(node), to, subject)) return true;

	const { id = '' } = context.getWorkflow();
	if (reports.pass(id, node.id) === undefined) return false;
	const message = `Replies to one mailbox were stopped: at most ${MAX_REPLIES.ofTopic} an hour with the same subject, and ${MAX_REPLIES.inAll} in all`;
	const description =
		'Another program may answer your replies. The workflow goes on without these replies. This is reported once an hour.';
	context.logger.warn(`${node.name} in workflow ${id}: ${message}`);
	failWorkflow(id, node, message, description);
	return false;
}

/** For a counted reply that the service certainly did not send: otherwise the tries of an outage would stop the replies after it. */
export function takeBackReply({ context }: Item, to: string, subject: string): void {
	if (!isInEditor(context)) brake.takeBack(accountOf(context.getNode()), to, subject);
}

function accountOf({ credentials }: INode): string {
	return credentials?.emailIdentityApi?.id ?? '';
}
