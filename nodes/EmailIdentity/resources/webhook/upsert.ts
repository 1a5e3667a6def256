import { mayHaveActed } from '../../api/errors';
import { toWebhook } from '../../api/resources';
import type { Entry } from '../../api/types';
import { canonicalUrl } from '../../lib/hosts';
import { webhookDiff } from '../../shared/webhooks';
import type { Operation, Session } from '../operation';
import { newWebhookFields } from './create';
import { webhookOutput } from './get';
import { readNewWebhook, urlField, type WantedWebhook } from './parameters';

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
	async execute(session, itemIndex) {
		const toOutput = webhookOutput(session, itemIndex);
		const wanted = await readNewWebhook(session, itemIndex);
		const url = canonicalUrl(wanted.url);
		const entry = await session.inTurn(url, async () => {
			const found = (await webhooksByUrl(session)).get(url);
			const written = found ? await update(session, found, wanted) : await create(session, wanted);
			(await webhooksByUrl(session)).set(url, written);
			return written;
		});
		return [toOutput(entry)];
	},
};

/** Read once, then kept up to date. If several have the same URL, the first in the list, the oldest, is used. */
async function webhooksByUrl({ once, service }: Session): Promise<Map<string, Entry>> {
	return await once('webhooks', async () => {
		const entries = await service.listWebhooks();
		const pairs = entries.map((entry) => [canonicalUrl(toWebhook(entry).url), entry] as const);
		return new Map(pairs.reverse());
	});
}

/** If the response is lost, only the list shows whether the subscription was created. If not, it is created once more. */
async function create(session: Session, wanted: WantedWebhook, isLast = false): Promise<Entry> {
	const { service, forget } = session;
	const fields = { ...wanted, ownerId: await service.ownerId() };
	return await service.createWebhook(fields).catch(async (error: unknown) => {
		if (!mayHaveActed(error)) throw error;
		forget('webhooks');
		// If the list cannot be read, the first error is thrown, because it says that the webhook may exist.
		const listed = await webhooksByUrl(session).catch(() => Promise.reject(error));
		const created = listed.get(canonicalUrl(wanted.url));
		if (created) return created;
		if (isLast) throw error;
		return await create(session, wanted, true);
	});
}

async function update({ service }: Session, entry: Entry, wanted: WantedWebhook): Promise<Entry> {
	const current = toWebhook(entry);
	const changes = webhookDiff(current, { ...wanted, identityId: wanted.identityId ?? null });
	if (Object.keys(changes).length === 0) return entry;
	return await service.updateWebhook(current.id, changes);
}
