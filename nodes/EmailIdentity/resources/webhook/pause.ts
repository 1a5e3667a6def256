import type { IDataObject } from 'n8n-workflow';

import type { Session } from '../session';
import { switchingFields, switchWebhook } from './switching';

export const description = switchingFields;

/** Stops delivery until the subscription is resumed. */
export async function execute(session: Session, itemIndex: number): Promise<IDataObject[]> {
	return await switchWebhook(session, itemIndex, false);
}
