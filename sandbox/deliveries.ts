import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dialect } from './dialects';
import { presentEvent } from './present';
import type { Recording } from './recording';
import { mayRead, type Store } from './store';
import type {
	DeliveryOrder,
	DeliveryRecord,
	StoredIdentity,
	StoredMessage,
	StoredWebhook,
} from './types';

/** One delivery, ready to be sent. */
interface Parcel {
	url: string;
	body: string | Uint8Array;
	contentType: string | null;
	userAgent: string;
	followsRedirects: boolean;
	headers?: Record<string, string>;
	method?: string;
	webhookId: string | null;
	messageId: string | null;
}

function failureText(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const cause = error.cause instanceof Error ? error.cause : undefined;
	return cause ? `${error.message}: ${cause.message || cause.name}` : error.message;
}

/**
 * Sends a delivery once and says what came of it; never rejects.
 *
 * @param signal gives up when it aborts
 */
export async function post(parcel: Parcel, signal: AbortSignal): Promise<DeliveryRecord> {
	const { url, body, contentType, userAgent, headers, method = 'POST' } = parcel;
	const time = Date.now();
	const record: DeliveryRecord = {
		id: randomUUID(),
		time,
		webhookId: parcel.webhookId,
		messageId: parcel.messageId,
		url,
		status: null,
		responseBody: '',
		error: null,
		milliseconds: 0,
	};
	try {
		const response = await fetch(url, {
			method,
			// Bytes, because `fetch` gives text a content type of its own.
			body: typeof body === 'string' ? Buffer.from(body) : new Uint8Array(body),
			headers: {
				'user-agent': userAgent,
				...(contentType !== null && { 'content-type': contentType }),
				...headers,
			},
			redirect: parcel.followsRedirects ? 'follow' : 'manual',
			signal,
		});
		record.status = response.status;
		record.responseBody = await response.text();
	} catch (error) {
		record.error = failureText(error);
	}
	record.milliseconds = Date.now() - time;
	return record;
}

type MayHear = (webhook: StoredWebhook, identity: StoredIdentity, store: Store) => boolean;

/** Whose subscriptions hear of an identity's mail. */
const listeners: Record<Dialect['deliversTo'], MayHear> = {
	owner: ({ ownerId }, identity) => ownerId === identity.ownerId,
	everybody: () => true,
	readers: ({ ownerId, workspaceId }, identity, { accounts }) =>
		workspaceId === identity.workspaceId &&
		accounts.some((account) => account.userId === ownerId && mayRead(account, identity)),
};

/** The subscriptions that hear of a message to this identity. */
function subscribersOf(
	identity: StoredIdentity,
	store: Store,
	{ deliversTo }: Dialect,
): StoredWebhook[] {
	return store.webhooks.filter(
		(webhook) =>
			webhook.enabled &&
			webhook.events.includes('message.received') &&
			(webhook.identityId === null || webhook.identityId === identity.id) &&
			listeners[deliversTo](webhook, identity, store),
	);
}

interface Job {
	message: StoredMessage;
	/** Tells whoever waits what became of it; only the first time. */
	done: (records: DeliveryRecord[]) => void;
	isUnderWay: boolean;
}

/** Sends one message to whoever hears of it; ends early when the signal aborts. */
type DeliverJob = (message: StoredMessage, signal: AbortSignal) => Promise<DeliveryRecord[]>;

/**
 * Collects messages for a while, then delivers them one after the other. What a crash cuts off is kept, and
 * delivered again from its beginning when the service is back.
 */
class DeliveryQueue {
	private jobs: Job[] = [];
	private work: Promise<void> | undefined;
	private life = new AbortController();

	/** @param collectionDelay milliseconds */
	constructor(
		private readonly deliver: DeliverJob,
		private readonly collectionDelay: number,
	) {}

	add(message: StoredMessage): Promise<DeliveryRecord[]> {
		return new Promise((done) => {
			this.jobs.push({ message, done, isUnderWay: false });
			this.resume();
		});
	}

	/** Resolves when nothing waits any more, or the service is down. */
	async settled(): Promise<void> {
		while (this.work) await this.work;
	}

	/** Ends what is under way. What was not finished waits for `resume`, or is given up. */
	stop(isKept: boolean): void {
		const cutOff = this.jobs;
		this.life.abort(new Error('The service went down.'));
		this.life = new AbortController();
		this.work = undefined;
		this.jobs = isKept ? cutOff : [];
		// Whoever waits for a message that was not begun learns that nothing was delivered so far.
		cutOff.filter(({ isUnderWay }) => !isUnderWay).forEach(({ done }) => done([]));
	}

	/** Goes on with what waits. */
	resume(): void {
		if (this.work || this.jobs.length === 0) return;
		const { signal } = this.life;
		const work = this.run(signal).finally(() => {
			if (this.work !== work) return;
			this.work = undefined;
			// For what came in after the last look.
			this.resume();
		});
		this.work = work;
	}

	private async run(signal: AbortSignal): Promise<void> {
		await sleep(this.collectionDelay, undefined, { signal }).catch(() => undefined);
		while (!signal.aborted) {
			const [job] = this.jobs;
			if (!job) return;
			job.isUnderWay = true;
			const records = await this.deliver(job.message, signal);
			job.done(records);
			if (!signal.aborted) this.jobs.shift();
		}
	}
}

interface Target {
	url: string;
	webhookId: string | null;
}

interface DelivererOptions {
	/** Milliseconds after which a delivery is given up. */
	timeout: number;
	/** How many deliveries can be repeated. */
	limit: number;
	/** Milliseconds for which messages are collected, where they are queued. */
	collectionDelay: number;
}

const toTarget = ({ id, url }: StoredWebhook): Target => ({ url, webhookId: id });

/** Sends events to subscriptions: one POST each, none again after a refusal. */
export class Deliverer {
	private readonly parcels = new Map<string, Parcel>();
	private readonly underWay = new Set<Promise<unknown>>();
	private readonly queue: DeliveryQueue;
	private life = new AbortController();

	constructor(
		private readonly store: Store,
		private readonly dialect: Dialect,
		private readonly recording: Recording<DeliveryRecord>,
		private readonly options: DelivererOptions,
	) {
		this.queue = new DeliveryQueue(
			(message, signal) => this.deliverInTurn(message, signal),
			options.collectionDelay,
		);
	}

	/** To every enabled subscription that the message matches, in the dialect's order. */
	deliverMessage(message: StoredMessage): Promise<DeliveryRecord[]> {
		if (this.dialect.deliveryOrder === 'sequential') return this.queue.add(message);
		return this.deliver({}, message);
	}

	/** At once. @throws when the message or the webhook of the order is not there, or nothing to send is named */
	async deliver(
		order: DeliveryOrder,
		message = this.message(order.messageId),
	): Promise<DeliveryRecord[]> {
		const parcels = this.parcelsOf(order, message);
		return Promise.all(parcels.map((parcel) => this.send(parcel)));
	}

	/** @throws when the delivery is no longer remembered */
	repeat(deliveryId: string): Promise<DeliveryRecord> {
		const parcel = this.parcels.get(deliveryId);
		if (!parcel) throw new Error(`There is no delivery ${deliveryId}.`);
		const message = parcel.messageId === null ? undefined : this.message(parcel.messageId);
		const body = message ? JSON.stringify(presentEvent(message, this.dialect)) : parcel.body;
		return this.send({ ...parcel, body });
	}

	async settled(): Promise<void> {
		await this.queue.settled();
		while (this.underWay.size > 0) await Promise.all(this.underWay);
	}

	/** Gives up what is under way; what a crash cut off waits for `resume`, where the dialect repeats it. */
	abort({ isCrash = false } = {}): void {
		this.queue.stop(isCrash && this.dialect.repeatsAfterCrash);
		this.life.abort(new Error('The service went down.'));
		this.life = new AbortController();
	}

	/** The service is back: goes on with what a crash cut off. */
	resume(): void {
		this.queue.resume();
	}

	forget(): void {
		this.parcels.clear();
	}

	private async deliverInTurn(
		message: StoredMessage,
		signal: AbortSignal,
	): Promise<DeliveryRecord[]> {
		const records: DeliveryRecord[] = [];
		for (const parcel of this.parcelsOf({}, message)) {
			if (!signal.aborted) records.push(await this.send(parcel));
		}
		return records;
	}

	private parcelsOf(order: DeliveryOrder, message: StoredMessage | undefined): Parcel[] {
		const { dialect } = this;
		const targets = this.targets(order, message);
		const body = order.body ?? (message && JSON.stringify(presentEvent(message, dialect)));
		if (body === undefined) throw new Error('Name a messageId or give a body.');
		const { contentType = dialect.deliveryContentType, method } = order;
		const shared = {
			...{ body, contentType, method },
			headers: { ...dialect.deliveryHeaders, ...order.headers },
			userAgent: dialect.deliveryUserAgent,
			followsRedirects: dialect.followsRedirects,
			messageId: order.body === undefined ? (message?.fields.id ?? null) : null,
		};
		return targets.map((target) => ({ ...shared, ...target }));
	}

	private message(id: string | undefined): StoredMessage | undefined {
		if (id === undefined) return undefined;
		const found = this.store.messages.find(id);
		if (!found) throw new Error(`There is no message ${id}.`);
		return found;
	}

	private targets({ url, webhookId }: DeliveryOrder, message?: StoredMessage): Target[] {
		if (webhookId !== undefined) {
			const webhook = this.store.webhook(webhookId);
			if (!webhook) throw new Error(`There is no webhook ${webhookId}.`);
			return [{ ...toTarget(webhook), ...(url && { url }) }];
		}
		if (url !== undefined) return [{ url, webhookId: null }];
		if (!message) throw new Error('Name a url, a webhookId, or a messageId.');
		const identity = this.store.identity(message.identityId);
		// Deleted since: nobody hears of its mail any more.
		if (!identity) return [];
		return subscribersOf(identity, this.store, this.dialect).map(toTarget);
	}

	private async send(parcel: Parcel): Promise<DeliveryRecord> {
		const { timeout: longest } = this.options;
		const timeout = AbortSignal.timeout(Math.min(longest, this.dialect.deliveryTimeout ?? longest));
		const sending = post(parcel, AbortSignal.any([this.life.signal, timeout]));
		this.underWay.add(sending);
		const record = await sending;
		this.underWay.delete(sending);
		this.remember(record.id, parcel);
		this.recording.add(record);
		return record;
	}

	private remember(id: string, parcel: Parcel): void {
		// A message is kept by the store; what is kept here beside it would double the memory it takes.
		const kept = parcel.messageId === null ? parcel : { ...parcel, body: '' };
		this.parcels.set(id, kept);
		const [oldest] = this.parcels.keys();
		if (this.parcels.size > this.options.limit && oldest !== undefined) this.parcels.delete(oldest);
	}
}
