import { isMissing } from '../../api/errors';
import { isSameId, mayBelongTo, toWebhook, type Webhook } from '../../api/resources';
import type { EmailIdentityService } from '../../api/service';
import { deriveSecret, secretOfUrl, webhookPathIn } from '../../shared/secret';
import { webhookDiff, type WebhookState } from '../../shared/webhooks';
import { isSameAddress } from '../../../../lib/basics';
import type { StoredSubscription } from '../staticData';
import { carriesMark, isAtAddress, leadsTo, type Endpoint } from './subscriptionUrl';

export type Target = ReturnType<typeof targetOf>;

/** @param stored from the static data, which is copied with a workflow: it may belong to another node */
export function targetOf(
	endpoint: Endpoint,
	apiKey: string,
	stored: StoredSubscription | undefined,
) {
	const isOwn =
		stored?.instanceId === endpoint.instanceId &&
		stored.listening === endpoint.listening &&
		leadsTo(stored.url, endpoint);
	return {
		...endpoint,
		apiKey,
		secret: deriveSecret(apiKey, endpoint),
		stored: isOwn ? stored : undefined,
	};
}

/** `leftover`: a test subscription of any node of this n8n, no longer in use. */
type Claim = 'own' | 'leftover';

export interface Seen {
	own: Webhook[];
	leftovers: Webhook[];
}

export class NoLongerOwn extends Error {
	constructor(id: string) {
		super(
			`The service does not return the webhook ${id} by its ID. If it still lists the webhook, change it there.`,
		);
	}
}

export class OtherCreated extends Error {
	constructor(readonly id: string) {
		super(
			'The service answered the creation of the webhook with a different webhook. Check the webhooks in the service, then ' +
				'publish the workflow again.',
		);
	}
}

/** The trigger changes subscriptions only here, and only those that `claim` accepted right before. An ID proves nothing. */
export class OwnWebhooks {
	/** @param isInUse whether this n8n listens for a test event at a URL */
	constructor(
		private readonly service: EmailIdentityService,
		readonly target: Target,
		readonly ownerId: () => Promise<string>,
		private readonly isInUse: (url: string) => boolean,
	) {}

	async list(): Promise<Webhook[]> {
		return (await this.service.listWebhooks()).map(toWebhook);
	}

	/** @returns undefined if there is no such subscription, or it is not this node's */
	async get(id: string): Promise<Webhook | undefined> {
		const webhook = await this.service.getWebhook(id).then(toWebhook, (error: unknown) => {
			if (isMissing(error)) return undefined;
			throw error;
		});
		return webhook && isSameId(id, webhook.id) && (await this.claim(webhook)) ? webhook : undefined;
	}

	async recognise(webhooks: readonly Webhook[]): Promise<Seen> {
		const seen: Seen = { own: [], leftovers: [] };
		for (const webhook of webhooks) {
			const claim = await this.claim(webhook);
			if (claim) seen[claim === 'own' ? 'own' : 'leftovers'].push(webhook);
		}
		return seen;
	}

	async create({ identityId, ...fields }: Required<WebhookState>): Promise<Webhook> {
		const ownerId = await this.ownerId();
		const restriction = identityId === null ? {} : { identityId };
		const created = toWebhook(
			await this.service.createWebhook({ ...fields, ...restriction, ownerId }),
		);
		const different = webhookDiff(created, { ...fields, identityId, description: undefined });
		const isAsAsked = Object.keys(different).length === 0 && (await this.claim(created)) === 'own';
		if (isAsAsked) return { ...created, ownerId };
		throw new OtherCreated(created.id);
	}

	async update(id: string, changes: WebhookState): Promise<void> {
		await this.service.updateWebhook(id, changes, async () => await this.check(id));
	}

	async remove(id: string): Promise<void> {
		await this.service.deleteWebhook(id, async () => await this.check(id));
	}

	/** Before each attempt: the service may have given the ID to another subscription since the last one. */
	private async check(id: string): Promise<void> {
		if (!(await this.get(id))) throw new NoLongerOwn(id);
	}

	/**
	 * A subscription is the node's own if it belongs to the API key's user, as far as the service shows its owner, and
	 *
	 * - delivers to the node's URL: only the node can receive these deliveries; or
	 * - delivers to the gateway of the Delivery URL and is marked for this node; or
	 * - has the node's secret in a former URL of n8n, or in the URL of a gateway with the node's mark; or
	 * - has the stored ID together with the stored URL or the node's mark. With a former API key, the secret is another one.
	 *
	 * A copy of the workflow in another n8n has another secret and recognises none of them.
	 */
	private async claim(webhook: Webhook): Promise<Claim | undefined> {
		const { url, ownerId } = webhook;
		const { target } = this;
		const isOwn = isAtAddress(url, target) || wasMadeFor(target, webhook);
		if (!isOwn && (!isForTests(url, target) || this.isInUse(url))) return undefined;
		if (ownerId !== null && !mayBelongTo(await this.ownerId(), webhook)) return undefined;
		return isOwn ? 'own' : 'leftover';
	}
}

function wasMadeFor({ stored, listening, secret, ...node }: Target, { id, url }: Webhook): boolean {
	const isMarked = listening === 'production' && carriesMark(url, node);
	if (id === stored?.id && (isMarked || isSameAddress(url, stored.url))) return true;
	return (isMarked || leadsTo(url, node)) && secretOfUrl(url) === secret;
}

/** The secret is derived from the path in the URL. */
function isForTests(url: string, { apiKey, instanceId }: Target): boolean {
	const webhookPath = webhookPathIn(url);
	if (webhookPath === undefined) return false;
	return secretOfUrl(url) === deriveSecret(apiKey, { instanceId, webhookPath, listening: 'test' });
}
