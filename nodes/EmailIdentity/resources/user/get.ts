import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { toUser } from '../../api/fields';
import type { Session } from '../session';

export const description: INodeProperties[] = [];

/** The user that the API key belongs to (contract, `GET /me`). */
export async function execute({ service }: Session): Promise<IDataObject[]> {
	return [{ ...toUser(await service.getUser()) }];
}
