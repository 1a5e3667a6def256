import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Session } from '../operation';
import { webhookOutput } from './maskedUrl';
import { description as createFields } from './create';
import { readNewWebhook, urlField } from './parameters';

export const description: INodeProperties[] = createFields.map((field) =>
	field === urlField ? matchedUrlField() : field,
);

function matchedUrlField(): INodeProperties {
	const hint =
		'The webhook with this URL, its query included, is updated. If none has it, one is created.';
	return { ...urlField, hint };
}

/**
 * Makes sure that there is one subscription for a URL, as described. Done twice, or for several items with
 * the same URL, there is still one. A masked URL, as outputs show it, stands for the subscription that it was read from.
 */
export async function execute(session: Session, itemIndex: number): Promise<IDataObject[]> {
	const toOutput = webhookOutput(session, itemIndex);
	const candidates = async () => await session.service.listWebhooks();
	const { identityId = null, ...fields } = await readNewWebhook(session, itemIndex, candidates);
	const entry = await session.webhooks.ensure({ ...fields, identityId });
	return [toOutput(entry)];
}
