import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { toWebhook } from '../../api/fields';
import { simplifyField, toOutput } from '../fields/simplify';
import { readWebhookId, webhookLocator } from '../fields/webhookLocator';
import type { Session } from '../session';

export const switchingFields: INodeProperties[] = [webhookLocator, simplifyField];

/** Switches delivery on or off (contract, section 3); the subscription itself stays. */
export async function switchWebhook(
	{ context, service }: Session,
	itemIndex: number,
	enabled: boolean,
): Promise<IDataObject[]> {
	const id = readWebhookId(context, itemIndex);
	const entry = await service.updateWebhook(id, { enabled });
	return [toOutput(context, itemIndex, entry, toWebhook)];
}
