import type { Entry } from '../../api/data/json';
import { mayBelongTo, toWebhook, type WantedWebhook } from '../../api/data/resources';
import { canonicalUrl } from '../../../../lib/basics';
import { webhookDiff } from '../../shared/webhooks';
import type { Item, Operation } from '../operation';
import { newWebhookFields } from './create';
import { webhookOutput } from './webhookOutput';
import { readNewWebhook, urlField } from './parameters';

/** Creates or updates the subscription with a URL. Several items with the same URL share one subscription. */
export const upsertWebhook: Operation = {
	name: 'Create or Update',
	value: 'upsert',
	description: 'Create a new webhook, or update the current one if it already exists (upsert)',
	action: 'Create or update webhook',
	fields: [
		{
			...urlField,
			hint: 'Updates the webhook with this URL, including its query, or creates one.',
		},
		...newWebhookFields,
	],
	output: webhookOutput,
	async execute(item) {
		const wanted = await readNewWebhook(item);
		const url = canonicalUrl(wanted.url);
		const written = await item.queue.run(url, async () => await createOrUpdate(item, url, wanted));
		return [written];
	},
};

async function createOrUpdate(item: Item, url: string, wanted: WantedWebhook): Promise<Entry> {
	const before = await webhooksByUrl(item);
	const found = before.get(url);
	const written = found ? await update(item, found, wanted) : await create(item, wanted);
	// Another item may have had the list read again.
	const now = await webhooksByUrl(item);
	now.set(url, written);
	return written;
}

/**
 * Read once, then kept up to date. If several have the same URL, the first in the list, the oldest, is used. A service may
 * list copies of other users, too.
 */
async function webhooksByUrl({ cache, service }: Item): Promise<Map<string, Entry>> {
	return await cache.once('webhooks', async () => {
		const [ownerId, entries] = await Promise.all([service.ownerId(), service.listWebhooks()]);
		const byUrl = new Map<string, Entry>();
		for (const entry of entries) {
			const webhook = toWebhook(entry);
			const url = canonicalUrl(webhook.url);
			const isFirst = !byUrl.has(url);
			if (isFirst && mayBelongTo(ownerId, webhook)) byUrl.set(url, entry);
		}
		return byUrl;
	});
}

async function create({ service, cache }: Item, wanted: WantedWebhook): Promise<Entry> {
	const ownerId = await service.ownerId();
	return await service.createOnlyWebhook({ ...wanted, ownerId }).catch((error: unknown) => {
		// The webhook may exist now.
		cache.forget('webhooks');
		throw error;
	});
}

async function update({ service }: Item, entry: Entry, wanted: WantedWebhook): Promise<Entry> {
	const current = toWebhook(entry);
	const { identityId = null } = wanted;
	const changes = webhookDiff(current, { ...wanted, identityId });
	if (Object.keys(changes).length === 0) return entry;
	return await service.updateWebhook(current.id, changes);
}
