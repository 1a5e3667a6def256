import type { IExecuteFunctions } from 'n8n-workflow';

import { mayHaveActed } from '../../api/errors';
import { toWebhook } from '../../api/resources';
import type { EmailIdentityService } from '../../api/service';
import type { Entry, NewWebhook } from '../../api/types';
import { createKeyedQueue } from '../../lib/concurrency';
import { canonicalUrl } from '../../lib/hosts';
import { lookUpIdentity, type IdentityLook } from '../../shared/chosenIdentity';
import { isDomain } from '../../shared/identityKinds';
import { webhookDiff, type WebhookState } from '../../shared/webhookDiff';

/** A subscription as it should be: `identityId: null` is for all identities, what is left out stays as it is. */
type WantedWebhook = WebhookState & Pick<NewWebhook, 'url' | 'events'>;

/**
 * Finds subscriptions by their URL and makes sure that there is one for a URL, however many items of an
 * execution ask for it and whatever answers are lost on the way. What items ask of one subscription is done in their order.
 */
export class WebhookRegister {
	private known: Promise<Map<string, Entry>> | undefined;

	/** By URL in one spelling. */
	private readonly inQueue = createKeyedQueue();

	/** By ID. */
	private readonly inQueueOfOne = createKeyedQueue();

	constructor(private readonly service: EmailIdentityService) {}

	/**
	 * Creates the subscription for a URL, or brings the one that is there into the wanted state.
	 *
	 * @returns the subscription as the service has it now
	 */
	async ensure(wanted: WantedWebhook): Promise<Entry> {
		const url = canonicalUrl(wanted.url);
		return await this.inQueue(url, async () => await this.createOrUpdate(url, wanted));
	}

	/**
	 * Changes or deletes one subscription when what was asked for it before has ended: otherwise a request that is repeated
	 * after a failure would undo what a later item did meanwhile.
	 *
	 * @param work is begun in the order of the calls
	 */
	async inTurn<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
		return await this.inQueueOfOne(id, work);
	}

	private async createOrUpdate(address: string, wanted: WantedWebhook): Promise<Entry> {
		const found = (await this.all()).get(address);
		const entry =
			found === undefined ? await this.create(address, wanted) : await this.update(found, wanted);
		(await this.all()).set(address, entry);
		return entry;
	}

	private async create(address: string, { identityId, ...fields }: WantedWebhook): Promise<Entry> {
		const ownerId = await this.service.ownerId();
		const restriction = typeof identityId === 'string' ? { identityId } : {};
		const isMissing = async () => (await this.lookUpAgain(address)) === undefined;
		return await this.service
			.createWebhook({ ...fields, ...restriction, ownerId }, isMissing)
			.catch(async (error: unknown) => {
				// Where the list cannot be read either, this error tells more: that it may have been created.
				const created = mayHaveActed(error)
					? await this.lookUpAgain(address).catch(() => undefined)
					: undefined;
				return created ?? (await Promise.reject(error));
			});
	}

	/** After a lost answer only the list tells whether the subscription is there now. */
	private async lookUpAgain(address: string): Promise<Entry | undefined> {
		this.known = undefined;
		return (await this.all()).get(address);
	}

	private async update(entry: Entry, wanted: WantedWebhook): Promise<Entry> {
		const current = toWebhook(entry);
		const changes = webhookDiff(current, wanted);
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
			const pairs = entries.map((entry) => [canonicalUrl(toWebhook(entry).url), entry] as const);
			return new Map(pairs.reverse());
		} catch (error) {
			this.known = undefined;
			return await Promise.reject(error);
		}
	}
}

/** Looks identities up, each once in an execution, however many items ask for it: writing forgets what else was read. */
export class IdentityRegister {
	private readonly looks = new Map<string, Promise<IdentityLook>>();

	constructor(
		private readonly service: EmailIdentityService,
		private readonly context: IExecuteFunctions,
	) {}

	/**
	 * @param name how a person knows the identity, where it was chosen from the list
	 * @throws NodeApiError when the service can't be asked; the next item asks again
	 */
	async lookUp(id: string, name?: string): Promise<IdentityLook> {
		const look = this.looks.get(id) ?? this.lookUpFirst(id, name);
		this.looks.set(id, look);
		look.catch(() => this.looks.delete(id));
		return await look;
	}

	private async lookUpFirst(id: string, name?: string): Promise<IdentityLook> {
		const look = await lookUpIdentity(this.service, id, name);
		if ('identity' in look && isDomain(look.identity)) {
			// n8n before 1.118 does not give this function to tools of an agent.
			this.context.addExecutionHints?.({
				message: `The webhook is restricted to the domain ${look.identity.value ?? id}. Some services never deliver mail to such a webhook: choose a single address, or All Identities.`,
				location: 'outputPane',
				type: 'warning',
			});
		}
		return look;
	}
}
