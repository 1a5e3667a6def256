import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { toIdentity } from '../../api/resources';
import { identityLocator, readIdentityId } from '../../shared/locators';
import type { Session } from '../operation';
import { outputOf, simplifyField } from '../simplify';
import { simplifyIdentity } from './simplified';

export const description: INodeProperties[] = [identityLocator, simplifyField];

/** One identity by its ID (contract, `GET /identities/{id}`). */
export async function execute(session: Session, itemIndex: number): Promise<IDataObject[]> {
	const id = readIdentityId(session.context, itemIndex);
	const toOutput = outputOf(session.context, itemIndex, (entry) =>
		simplifyIdentity(toIdentity(entry)),
	);
	return [toOutput(await session.service.getIdentity(id))];
}
