import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dialect } from './dialects';
import type { StoredMessage } from './message';
import type { Recording } from './recording';
import { found, mayRead, type Store } from './store';
import { styles } from './styles';
import type { DeliveryOrder, DeliveryRecord, StoredIdentity, StoredWebhook } from './types';

/** An order for one URL. */
type Parcel = DeliveryOrder & { url: string };

function failureText(error: unknown): string {
	const { message, cause } = error as Error;
	return cause instanceof Error ? `${message}: ${cause.message || cause.name}` : message;
}

/** The subscriptions that hear of a message to this identity. */
function subscribersOf(
	identity: StoredIdentity,
	{ webhooks, accounts }: Store,
	{ deliversTo }: Dialect,
): StoredWebhook[] {
	const hears = ({ ownerId, workspaceId }: StoredWebhook): boolean => {
		if (deliversTo === 'everybody') return true;
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

interface Job {
	message: StoredMessage;
	/** Tells who waits what was delivered; only the first time. */
	done(records: DeliveryRecord[]): void;
}

interface DelivererOptions {
	/** How many deliveries can be repeated. */
	recordings: number;
	/** Milliseconds for which messages are collected, where they are delivered in turn. */
	collectionDelay: number;
}

/** Sends events to subscriptions: one POST each, none again after a refusal. */
export class Deliverer {
	private readonly parcels = new Map<string, Parcel>();
	private readonly underWay = new Set<Promise<unknown>>();
	private readonly jobs: Job[] = [];
	private turns: Promise<void> | undefined;
	private life = new AbortController();

	constructor(
		private readonly store: Store,
		private readonly dialect: Dialect,
		private readonly recording: Recording<DeliveryRecord>,
		private readonly options: DelivererOptions,
	) {}

	/** To every enabled subscription that the message matches, in the dialect's order. Never rejects. */
	async deliverMessage(message: StoredMessage): Promise<DeliveryRecord[]> {
		if (!this.dialect.deliversInTurn) {
			return await Promise.all(this.parcelsFor(message).map((parcel) => this.send(parcel)));
		}
		return await new Promise((done) => {
			this.jobs.push({ message, done });
			this.resume();
		});
	}

	/** At once. @throws when there is no such webhook */
	async deliver(order: DeliveryOrder): Promise<DeliveryRecord[]> {
		const { webhookId = '' } = order;
		const url = order.url ?? found(this.store.webhook(webhookId), `webhook ${webhookId}`).url;
		return [await this.send({ ...order, url })];
	}

	/** @throws when the delivery is no longer remembered */
	async repeat(deliveryId: string): Promise<DeliveryRecord> {
		return await this.send(found(this.parcels.get(deliveryId), `delivery ${deliveryId}`));
	}

	/** Resolves when nothing is under way. */
	async settled(): Promise<void> {
		while (this.turns) await this.turns;
		while (this.underWay.size > 0) await Promise.all(this.underWay);
	}

	/** Gives up what is under way. */
	stop(): void {
		this.life.abort(new Error('The service went down.'));
		this.life = new AbortController();
		this.turns = undefined;
		this.jobs.splice(0).forEach(({ done }) => done([]));
	}

	/** Goes on with what waits. */
	private resume(): void {
		if (this.turns || this.jobs.length === 0) return;
		const turns = this.inTurn(this.life.signal).finally(() => {
			if (this.turns !== turns) return;
			this.turns = undefined;
			// For what came in after the last look.
			this.resume();
		});
		this.turns = turns;
	}

	private async inTurn(life: AbortSignal): Promise<void> {
		await sleep(this.options.collectionDelay, undefined, { signal: life }).catch(() => undefined);
		while (!life.aborted) {
			const [job] = this.jobs;
			if (!job) return;
			const records: DeliveryRecord[] = [];
			for (const parcel of this.parcelsFor(job.message)) {
				if (!life.aborted) records.push(await this.send(parcel));
			}
			if (!life.aborted) this.jobs.shift();
			job.done(records);
		}
	}

	/** None for an identity that was deleted since. */
	private parcelsFor({ identityId, fields }: StoredMessage): Parcel[] {
		const identity = this.store.identity(identityId);
		const subscribers = identity ? subscribersOf(identity, this.store, this.dialect) : [];
		return subscribers.map(({ id, url }) => ({ url, webhookId: id, messageId: fields.id }));
	}

	/** What a subscription is sent (contract, section 6). */
	private bodyOf({ body, messageId = '' }: Parcel): string | Uint8Array {
		if (body !== undefined) return body;
		const { fields, rawEmail } = found(this.store.message(messageId), `message ${messageId}`);
		const message = styles[this.dialect.style].message(fields);
		return JSON.stringify({ event: 'message.received', data: { message, rawEmail } });
	}

	private async send(parcel: Parcel): Promise<DeliveryRecord> {
		const sending = this.post(parcel);
		this.underWay.add(sending);
		const record = await sending;
		this.underWay.delete(sending);
		this.recording.add(record);
		this.parcels.set(record.id, parcel);
		const [oldest = ''] = this.parcels.keys();
		if (this.parcels.size > this.options.recordings) this.parcels.delete(oldest);
		return record;
	}

	private async post(parcel: Parcel): Promise<DeliveryRecord> {
		const { url, body, webhookId = null, messageId = null } = parcel;
		const { deliveryHeaders, followsRedirects, deliveryTimeout } = this.dialect;
		const time = Date.now();
		const record: DeliveryRecord = {
			...{ id: randomUUID(), time, url, webhookId },
			messageId: body === undefined ? messageId : null,
			...{ status: null, responseBody: '', error: null, milliseconds: 0 },
		};
		try {
			const response = await fetch(url, {
				method: 'POST',
				// Bytes, because `fetch` gives text a content type of its own.
				body: Buffer.from(this.bodyOf(parcel)),
				headers: deliveryHeaders,
				redirect: followsRedirects ? 'follow' : 'manual',
				signal: AbortSignal.any([this.life.signal, AbortSignal.timeout(deliveryTimeout)]),
			});
			record.status = response.status;
			record.responseBody = await response.text();
		} catch (error) {
			record.error = failureText(error);
		}
		record.milliseconds = Date.now() - time;
		return record;
	}
}
