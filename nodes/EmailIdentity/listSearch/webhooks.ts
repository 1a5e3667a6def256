import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { toWebhook } from '../api/fields';
import { createService } from '../api/service';
import { toPage } from './page';

/** What the Webhook drop-down shows: the description, the URL and the state. */
export async function searchWebhooks(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const entries = await createService(this).listWebhooks();
	const choices = entries.map(toWebhook).map(({ id, url, description, enabled }) => {
		const name = [description, url].filter((part) => part !== null && part !== '').join(' · ');
		return { name: `${name} (${enabled ? 'active' : 'paused'})`, value: id };
	});
	return toPage(choices, filter, paginationToken);
}
