import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { toWebhook } from '../api/fields';
import { maskSecrets } from '../api/redaction';
import { createService } from '../api/service';
import type { Webhook } from '../api/types';
import { toPage } from './page';

/** As much of an ID as tells webhooks apart; it can be searched for. */
const SHORT_ID_LENGTH = 8;

/**
 * What the Webhook drop-down shows: the state, the description and the host.
 *
 * The editor stores the name of the chosen entry in the workflow, which is exported and shared. Neither the query nor the
 * path of a URL is in it, as both may be all that somebody has to know to call the URL.
 */
export async function searchWebhooks(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const entries = await createService(this).listWebhooks();
	const choices = entries
		.map(toWebhook)
		.map((webhook) => ({ name: nameOf(webhook), value: webhook.id }));
	return toPage(choices, filter, paginationToken);
}

/** The state comes first, as the editor cuts off what is long. */
function nameOf({ id, url, description, enabled }: Webhook): string {
	const label = maskSecrets((description ?? '').trim()) || id.slice(0, SHORT_ID_LENGTH);
	const host = URL.canParse(url) ? new URL(url).host : '';
	return [stateOf(enabled), label, host].filter((part) => part !== '').join(' · ');
}

function stateOf(enabled: boolean | null): string {
	if (enabled === null) return 'Unknown';
	return enabled ? 'Active' : 'Paused';
}
