import type { IDataObject } from 'n8n-workflow';

import type { Session } from '../session';
import { switchingFields, switchWebhook } from './switching';

export const description = switchingFields;

/** Lets delivery of a paused subscription go on. */
export async function execute(session: Session, itemIndex: number): Promise<IDataObject[]> {
	return await switchWebhook(session, itemIndex, true);
}
