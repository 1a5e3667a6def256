import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dialect } from './dialects';
import type { StoredMessage } from './message';
import type { Recording } from './recording';
import { found, mayRead, type Store } from './store';
import { styles } from './styles';
import type { DeliveryOrder, DeliveryRecord, StoredIdentity, StoredWebhook } from './types';

type Parcel = Pick<DeliveryRecord, 'url' | 'webhookId' | 'messageId'> & Pick<DeliveryOrder, 'body'>;

function failureText(error: unknown): string {
	const { message, cause } = error as Error;
	return cause instanceof Error ? `${message}: ${cause.message || cause.name}` : message;
}

function subscribersOf(
	identity: StoredIdentity,
	{ webhooks, accounts }: Store,
	{ deliversTo }: Dialect,
): StoredWebhook[] {
	const hears = ({ ownerId, workspaceId }: StoredWebhook): boolean => {
		if (deliversTo === 'all') return true;
		if (deliversTo === 'owner') return ownerId === identity.ownerId;
		const owner = accounts.find(({ userId }) => userId === ownerId);
		return workspaceId === identity.workspaceId && owner !== undefined && mayRead(owner, identity);
	};
	return webhooks.filter(
		(webhook) =>
			webhook.enabled &&
			webhook.events.includes('message.received') &&
			[null, identity.id].includes(webhook.identityId) &&
			hears(webhook),
	);
}

/** Sends events to subscriptions: one POST each, without repeats. */
export class Deliverer {
	private readonly underWay = new Set<Promise<unknown>>();
	private lastTurn: Promise<unknown> = Promise.resolve();
	private life = new AbortController();

	/** @param collectionDelayMs how long messages are collected, in dialects that deliver them in turn */
	constructor(
		private readonly store: Store,
		private readonly dialect: Dialect,
		private readonly recording: Recording<DeliveryRecord>,
		private readonly collectionDelayMs: number,
	) {}

	/** Delivers to every enabled subscription that the message matches, in the dialect's order. Never rejects. */
	async deliverMessage(message: StoredMessage): Promise<DeliveryRecord[]> {
		if (!this.dialect.deliversInTurn) {
			return await Promise.all(this.parcelsFor(message).map((parcel) => this.send(parcel)));
		}
		return await this.track((this.lastTurn = this.inTurn(message, this.lastTurn)));
	}

	/** Delivers at once. @throws when there is no such webhook */
	async deliver({ messageId, body, ...to }: DeliveryOrder): Promise<DeliveryRecord[]> {
		const webhookId = to.webhookId ?? null;
		const url = to.url ?? found(this.store.webhook(webhookId ?? ''), `webhook ${webhookId}`).url;
		return [await this.send({ url, webhookId, messageId: messageId ?? null, body })];
	}

	/** Sends the same message to the same URL. @throws when the delivery is no longer remembered */
	async repeat(deliveryId: string): Promise<DeliveryRecord> {
		const [record] = this.recording.list(({ id }) => id === deliveryId);
		const { url, webhookId, messageId } = found(record, `delivery ${deliveryId}`);
		return await this.send({ url, webhookId, messageId });
	}

	async settled(): Promise<void> {
		while (this.underWay.size > 0) await Promise.all(this.underWay);
	}

	stop(): void {
		this.life.abort(new Error('The service went down.'));
		this.life = new AbortController();
	}

	private async inTurn(message: StoredMessage, before: Promise<unknown>) {
		const { signal } = this.life;
		const delay = sleep(this.collectionDelayMs, undefined, { signal }).catch(() => undefined);
		await Promise.all([before, delay]);
		const records: DeliveryRecord[] = [];
		for (const parcel of signal.aborted ? [] : this.parcelsFor(message)) {
			if (!signal.aborted) records.push(await this.send(parcel));
		}
		return records;
	}

	private async track<Result>(work: Promise<Result>): Promise<Result> {
		this.underWay.add(work);
		return await work.finally(() => this.underWay.delete(work));
	}

	/** Empty if the identity was deleted meanwhile. */
	private parcelsFor({ identityId, fields }: StoredMessage): Parcel[] {
		const identity = this.store.identity(identityId);
		const subscribers = identity ? subscribersOf(identity, this.store, this.dialect) : [];
		return subscribers.map(({ id, url }) => ({ url, webhookId: id, messageId: fields.id }));
	}

	/** The body of a delivery (contract, section 6). */
	private bodyOf({ body, messageId }: Parcel): string | Uint8Array {
		if (body !== undefined) return body;
		const { fields, rawEmail } = found(this.store.message(messageId ?? ''), `message ${messageId}`);
		const message = styles[this.dialect.style].message(fields);
		return JSON.stringify({ event: 'message.received', data: { message, rawEmail } });
	}

	private async send(parcel: Parcel): Promise<DeliveryRecord> {
		return await this.track(this.post(parcel));
	}

	private async post(parcel: Parcel): Promise<DeliveryRecord> {
		const { url, webhookId, messageId } = parcel;
		const { deliveryHeaders, followsRedirects, deliveryTimeoutMs } = this.dialect;
		const record: DeliveryRecord = {
			id: randomUUID(),
			time: Date.now(),
			url,
			webhookId,
			messageId,
			status: null,
			responseBody: '',
			error: null,
		};
		try {
			const response = await fetch(url, {
				method: 'POST',
				// Bytes, because `fetch` gives text a content type of its own.
				body: Buffer.from(this.bodyOf(parcel)),
				headers: deliveryHeaders,
				redirect: followsRedirects ? 'follow' : 'manual',
				signal: AbortSignal.any([this.life.signal, AbortSignal.timeout(deliveryTimeoutMs)]),
			});
			record.status = response.status;
			record.responseBody = await response.text();
		} catch (error) {
			record.error = failureText(error);
		}
		this.recording.add(record);
		return record;
	}
}
