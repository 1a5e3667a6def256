import type { Entry } from '../../api/json';
import { mayBelongTo, toWebhook, type WantedWebhook } from '../../api/resources';
import { canonicalUrl } from '../../../../lib/basics';
import { webhookDiff } from '../../shared/webhooks';
import type { Item, Operation } from '../runOperation';
import { newWebhookFields } from './create';
import { webhookOutput } from './get';
import { readNewWebhook, urlField } from './parameters';

/** Creates or updates the subscription with a URL. Several items with the same URL share one subscription. */
export const upsertWebhook: Operation = {
	name: 'Create or Update',
	value: 'upsert',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
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
		const entry = await item.queue.run(url, async () => {
			const found = (await webhooksByUrl(item)).get(url);
			const written = found ? await update(item, found, wanted) : await create(item, wanted);
			(await webhooksByUrl(item)).set(url, written);
			return written;
		});
		return [entry];
	},
};

/**
 * Read once, then kept up to date. If several have the same URL, the first in the list, the oldest, is used. A service may
 * list copies of other users, too.
 */
async function webhooksByUrl({ cache, service }: Item): Promise<Map<string, Entry>> {
	return await cache.once('webhooks', async () => {
		const [ownerId, entries] = await Promise.all([service.ownerId(), service.listWebhooks()]);
		const own = entries.filter((entry) => mayBelongTo(ownerId, toWebhook(entry)));
		const pairs = own.map((entry) => [canonicalUrl(toWebhook(entry).url), entry] as const);
		return new Map(pairs.reverse());
	});
}

async function create({ service, cache }: Item, wanted: WantedWebhook): Promise<Entry> {
	const fields = { ...wanted, ownerId: await service.ownerId() };
	return await service.createOnlyWebhook(fields).catch((error: unknown) => {
		// It may exist now.
		cache.forget('webhooks');
		throw error;
	});
}

async function update({ service }: Item, entry: Entry, wanted: WantedWebhook): Promise<Entry> {
	const current = toWebhook(entry);
	const changes = webhookDiff(current, { ...wanted, identityId: wanted.identityId ?? null });
	if (Object.keys(changes).length === 0) return entry;
	return await service.updateWebhook(current.id, changes);
}
