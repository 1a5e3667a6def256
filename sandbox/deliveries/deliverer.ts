import type { Dialect } from '../dialects/dialect';
import { presentEvent } from '../dialects/resources';
import type { Recording } from '../recordings/recording';
import type { Store } from '../store/store';
import type { DeliveryOrder, DeliveryRecord, StoredMessage, StoredWebhook } from '../types';
import { type Parcel, post } from './post';

interface Target {
	url: string;
	webhookId: string | null;
}

const toTarget = ({ id, url }: StoredWebhook): Target => ({ url, webhookId: id });

/** Sends events to subscriptions: one POST each, no retry, as observed. */
export class Deliverer {
	private readonly parcels = new Map<string, Parcel>();
	private readonly underWay = new Set<Promise<unknown>>();
	private life = new AbortController();

	constructor(
		private readonly store: Store,
		private readonly dialect: Dialect,
		private readonly recording: Recording<DeliveryRecord>,
		private readonly options: { timeout: number; limit: number },
	) {}

	/** To every enabled subscription that the message matches. */
	deliverMessage(message: StoredMessage): Promise<DeliveryRecord[]> {
		return this.deliver({}, message);
	}

	/** @throws when the message or the webhook of the order is not there, or nothing to send is named */
	async deliver(
		order: DeliveryOrder,
		message = this.message(order.messageId),
	): Promise<DeliveryRecord[]> {
		const targets = this.targets(order, message);
		const body = order.body ?? (message && JSON.stringify(presentEvent(message, this.dialect)));
		if (body === undefined) throw new Error('Name a messageId or give a body.');
		const { deliveryContentType, deliveryUserAgent } = this.dialect;
		const { contentType = deliveryContentType, headers, method } = order;
		const messageId = order.body === undefined ? (message?.fields.id ?? null) : null;
		const shared = { body, contentType, userAgent: deliveryUserAgent, headers, method, messageId };
		return Promise.all(targets.map((target) => this.send({ ...shared, ...target })));
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
		while (this.underWay.size > 0) await Promise.all(this.underWay);
	}

	/** Gives up what is under way. */
	abort(): void {
		this.life.abort(new Error('The service went down.'));
		this.life = new AbortController();
	}

	forget(): void {
		this.parcels.clear();
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
		const identity = message && this.store.identity(message.identityId);
		if (!identity) throw new Error('Name a url, a webhookId, or a messageId of an identity.');
		return this.store.subscribers(identity).map(toTarget);
	}

	private async send(parcel: Parcel): Promise<DeliveryRecord> {
		const timeout = AbortSignal.timeout(this.options.timeout);
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
