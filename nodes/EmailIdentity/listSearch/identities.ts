import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { toIdentity } from '../api/fields';
import { createService } from '../api/service';
import { toPage } from './page';

/** What the Identity drop-down shows: the address or domain, its kind and its state. */
export async function searchIdentities(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const entries = await createService(this).listIdentities();
	const choices = entries.map(toIdentity).map(({ id, value, kind, status }) => {
		const traits = [kind, status].filter((trait) => trait !== null).join(', ');
		return { name: traits === '' ? (value ?? id) : `${value ?? id} (${traits})`, value: id };
	});
	return toPage(choices, filter, paginationToken);
}
