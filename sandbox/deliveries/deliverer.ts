import type { Dialect } from '../dialects/dialect';
import { presentEvent } from '../dialects/messages';
import type { Recording } from '../recordings/recording';
import type { Store } from '../store/store';
import type { DeliveryOrder, DeliveryRecord, StoredMessage, StoredWebhook } from '../types';
import { type Parcel, post } from './post';
import { DeliveryQueue } from './queue';
import { subscribersOf } from './subscribers';

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
