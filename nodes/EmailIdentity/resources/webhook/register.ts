import { mayHaveActed } from '../../api/errors';
import { toWebhook } from '../../api/fields';
import type { EmailIdentityService } from '../../api/service';
import type { Entry, NewWebhook, Webhook, WebhookChanges } from '../../api/types';

/** A subscription as it should be: `identityId: null` is for all identities, what is left out stays as it is. */
type WantedWebhook = WebhookChanges & Pick<NewWebhook, 'url' | 'events'>;

/** Two spellings of one address are one address: the host's case, a default port, an escaped letter. */
const addressOf = (url: string): string => (URL.canParse(url) ? new URL(url).href : url);

const isSame = (left: unknown, right: unknown): boolean =>
	JSON.stringify(left) === JSON.stringify(right);

/**
 * Finds subscriptions by their URL and makes sure that there is one for a URL, however many items of an
 * execution ask for it and whatever answers are lost on the way.
 */
export class WebhookRegister {
	private known: Promise<Map<string, Entry>> | undefined;

	/** The last piece of work for each URL; the next one for the same URL waits for it. */
	private readonly queues = new Map<string, Promise<unknown>>();

	constructor(private readonly service: EmailIdentityService) {}

	/**
	 * Creates the subscription for a URL, or brings the one that is there into the wanted state.
	 *
	 * @param ownerId asked for only when there is something to create
	 * @returns the subscription as the service has it now
	 */
	async ensure(wanted: WantedWebhook, ownerId: () => Promise<string>): Promise<Entry> {
		const address = addressOf(wanted.url);
		const before = this.queues.get(address) ?? Promise.resolve();
		const work = before
			.catch(() => undefined)
			.then(async () => await this.createOrUpdate(address, wanted, ownerId));
		this.queues.set(address, work);
		return await work;
	}

	private async createOrUpdate(
		address: string,
		wanted: WantedWebhook,
		ownerId: () => Promise<string>,
	): Promise<Entry> {
		const found = (await this.all()).get(address);
		const entry =
			found === undefined
				? await this.create(address, wanted, await ownerId())
				: await this.update(found, wanted);
		(await this.all()).set(address, entry);
		return entry;
	}

	private async create(
		address: string,
		{ identityId, ...fields }: WantedWebhook,
		ownerId: string,
	): Promise<Entry> {
		const restriction = typeof identityId === 'string' ? { identityId } : {};
		return await this.service
			.createWebhook({ ...fields, ...restriction, ownerId })
			.catch(async (error: unknown) => {
				const created = mayHaveActed(error) ? await this.lookUpAgain(address) : undefined;
				return created ?? (await Promise.reject(error));
			});
	}

	/** After a lost answer only the list tells whether the subscription is there now. */
	private async lookUpAgain(address: string): Promise<Entry | undefined> {
		this.known = undefined;
		return (await this.all()).get(address);
	}

	private async update(entry: Entry, wanted: WebhookChanges): Promise<Entry> {
		const current = toWebhook(entry);
		const changes = Object.fromEntries(
			Object.entries(wanted).filter(
				([field, value]) =>
					field !== 'url' && !isSame(current[field as keyof Webhook] ?? null, value ?? null),
			),
		);
		if (Object.keys(changes).length === 0) return entry;
		return await this.service.updateWebhook(current.id, changes);
	}

	/** Of several subscriptions for one URL the first in the list counts: the service's oldest. */
	private async all(): Promise<Map<string, Entry>> {
		this.known ??= this.read();
		return await this.known;
	}

	/** A list that could not be read is asked for again by the next item. */
	private async read(): Promise<Map<string, Entry>> {
		try {
			const entries = await this.service.listWebhooks();
			const pairs = entries.map((entry) => [addressOf(toWebhook(entry).url), entry] as const);
			return new Map(pairs.reverse());
		} catch (error) {
			this.known = undefined;
			return await Promise.reject(error);
		}
	}
}
