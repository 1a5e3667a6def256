import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { toIdentity, toWebhook, type Identity, type Webhook } from '../api/resources';
import { maskSecrets } from '../api/redaction';
import { BRIEF } from '../api/retry';
import { createService } from '../api/service';
import { parseUrl } from '../lib/hosts';
import { sortNaturally } from '../lib/text';

/** The editor renders every entry, and asks for more when the user scrolls. */
const PAGE_SIZE = 100;

/** Enough to tell webhooks apart. Users can search for it. */
const SHORT_ID_LENGTH = 8;

/** The Identity drop-down shows the address and its display name, or the domain and its state. */
export async function searchIdentities(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const identities = await createService(this, { retry: BRIEF }).listIdentities();
	const choices = identities
		.map(toIdentity)
		.map((identity) => ({ name: nameOfIdentity(identity), value: identity.id }));
	const empty = 'This account has no identities yet. Add an address in the service.';
	return toPage(choices, empty, filter, paginationToken);
}

/**
 * The Webhook drop-down shows the state, the description and the host.
 *
 * The editor stores the name of the chosen entry in the workflow, which is exported and shared. The path and the query of
 * the URL are left out, because they may be secret.
 */
export async function searchWebhooks(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const webhooks = await createService(this, { retry: BRIEF }).listWebhooks();
	const choices = webhooks
		.map(toWebhook)
		.map((webhook) => ({ name: nameOfWebhook(webhook), value: webhook.id }));
	return toPage(choices, 'This account has no webhooks yet', filter, paginationToken);
}

/** The address comes first: the subtitle on the canvas is the text before the first space. */
function nameOfIdentity({ id, value, displayName, kind, status }: Identity): string {
	// The status of an address says little: most work without being verified.
	const traits = value?.includes('@') ? [displayName] : [displayName, kind, status];
	const shown = traits.filter((trait) => trait !== null && trait !== value).join(', ');
	return shown === '' ? (value ?? id) : `${value ?? id} (${shown})`;
}

/** The state comes first, because the editor cuts off long names. */
function nameOfWebhook({ id, url, description, enabled }: Webhook): string {
	const state = enabled === null ? 'Unknown' : enabled ? 'Active' : 'Paused';
	const label = maskSecrets((description ?? '').trim()) || id.slice(0, SHORT_ID_LENGTH);
	const host = parseUrl(url)?.host ?? '';
	return [state, label, host].filter((part) => part !== '').join(' · ');
}

/**
 * Searches the entries of a drop-down and returns one page of them, in alphabetical order.
 *
 * @param empty shown instead of n8n's "No results" when there are no entries; choosing it leaves the field empty
 * @param filter the text that the user typed: each word must occur in the name or be the start of the ID
 * @param paginationToken from the page before
 */
function toPage(
	choices: INodeListSearchItems[],
	empty: string,
	filter = '',
	paginationToken = '0',
): INodeListSearchResult {
	if (choices.length === 0) return { results: [{ name: empty, value: '' }] };
	const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
	const found = choices.filter(({ name, value }) =>
		words.every(
			(word) => name.toLowerCase().includes(word) || String(value).toLowerCase().startsWith(word),
		),
	);
	const sorted = sortNaturally(found, ({ name }) => name);
	const start = Number(paginationToken) || 0;
	const end = start + PAGE_SIZE;
	return {
		results: sorted.slice(start, end),
		...(end < found.length ? { paginationToken: String(end) } : {}),
	};
}
