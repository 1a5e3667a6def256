import type { IDataObject } from 'n8n-workflow';

import { toWebhook } from '../../api/fields';
import type { Session } from '../operation';
import { toOutput } from '../simplify';
import { description as createFields } from './create';
import { readNewWebhook } from './parameters';

export const description = createFields;

/**
 * Makes sure that there is one subscription for a URL, as described. Done twice, or for several items with
 * the same URL, there is still one.
 */
export async function execute(session: Session, itemIndex: number): Promise<IDataObject[]> {
	const { identityId = null, ...fields } = await readNewWebhook(session, itemIndex);
	const entry = await session.webhooks.ensure({ ...fields, identityId }, session.ownerId);
	return [toOutput(session.context, itemIndex, entry, toWebhook)];
}
