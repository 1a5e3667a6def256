import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import type { Entry } from '../api/data/json';
import { toIdentity, toWebhook, type Identity, type Webhook } from '../api/data/resources';
import { maskSecrets } from '../api/failures/redaction';
import { cannotSend } from '../api/failures/sender';
import { PATIENCE } from '../api/requests/retry';
import type { EmailIdentityService } from '../api/service';
import { parseUrl, sortNaturally } from '../../../lib/basics';

/** The editor renders every entry, and asks for more when the user scrolls. */
const PAGE_SIZE = 100;

/** Enough to distinguish webhooks. Users can search for it. */
const SHORT_ID_LENGTH = 8;

/** n8n calls it to fill a drop-down, with what the user typed and where the last page ended. */
type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** A list of the service as a drop-down. */
interface DropDown {
	/** The entries to choose from. */
	list(service: EmailIdentityService): Promise<Entry[]>;
	toChoice(entry: Entry): INodeListSearchItems;
	/** Shown instead of n8n's "No results" if there are no entries; choosing it leaves the field empty. */
	empty: string;
}

/** A drop-down in alphabetical order. Each word that the user types must occur in the name or be the start of the ID. */
function searchAmong({ list, toChoice, empty }: DropDown): ListSearch {
	return async function (filter = '', paginationToken = '0') {
		const { EmailIdentityService } = await import('../api/service');
		const entries = await list(new EmailIdentityService(this, { retry: PATIENCE.dropDown }));
		if (entries.length === 0) return { results: [{ name: empty, value: '' }] };

		const words = filter.toLowerCase().split(/\s+/);
		const found = entries
			.map(toChoice)
			.filter((choice) => words.every((word) => matchesWord(choice, word)));
		const sorted = sortNaturally(found, ({ name }) => name);

		const start = Number(paginationToken) || 0;
		const end = start + PAGE_SIZE;
		const hasMore = end < sorted.length;
		return {
			results: sorted.slice(start, end),
			paginationToken: hasMore ? String(end) : undefined,
		};
	};
}

/** An empty word matches every entry. */
function matchesWord({ name, value }: INodeListSearchItems, word: string): boolean {
	return name.toLowerCase().includes(word) || String(value).toLowerCase().startsWith(word);
}

export const searchIdentities = searchAmong({
	list: async (service) => await service.listIdentities(),
	toChoice: toIdentityChoice,
	empty: 'This account has no identities yet. Add an address in the service.',
});

/** Addresses that the service sends from: neither domains nor those that only receive. */
export const searchSenders = searchAmong({
	async list(service) {
		const identities = await service.listIdentities();
		return identities.filter((entry) => cannotSend(toIdentity(entry)) === undefined);
	},
	toChoice: toIdentityChoice,
	empty: 'This account has no address that can send. Add one in the service.',
});

/**
 * The editor stores the name of the chosen entry in the workflow, which may be exported and shared. So the name does not
 * contain the path and query of the URL, which may be secret.
 */
export const searchWebhooks = searchAmong({
	list: async (service) => await service.listWebhooks(),
	toChoice(entry) {
		const webhook = toWebhook(entry);
		return { name: nameOfWebhook(webhook), value: webhook.id };
	},
	empty: 'This account has no webhooks yet',
});

function toIdentityChoice(entry: Entry): INodeListSearchItems {
	const identity = toIdentity(entry);
	return { name: nameOfIdentity(identity), value: identity.id };
}

/** The address comes first: the subtitle on the canvas is the text before the first space. */
function nameOfIdentity({ id, value, displayName, kind, status }: Identity): string {
	const traits = [displayName];
	// The status of an address is not shown, because most addresses work without being verified.
	const isAddress = value?.includes('@') === true;
	if (!isAddress) traits.push(kind, status);
	const shown = traits.filter((trait) => trait !== null && trait !== value);

	const name = value ?? id;
	if (shown.length === 0) return name;
	return `${name} (${shown.join(', ')})`;
}

/** The state comes first, because the editor cuts off long names. */
function nameOfWebhook({ id, url, description, enabled }: Webhook): string {
	const label = maskSecrets((description ?? '').trim()) || id.slice(0, SHORT_ID_LENGTH);
	const host = parseUrl(url)?.host ?? '';
	const parts = [nameOfState(enabled), label, host];
	return parts.filter((part) => part !== '').join(' · ');
}

function nameOfState(enabled: boolean | null): string {
	if (enabled === null) return 'Unknown';
	if (enabled) return 'Active';
	return 'Paused';
}
