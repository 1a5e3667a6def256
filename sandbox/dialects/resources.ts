import type { StoredAccount, StoredWebhook } from '../types';
import type { Dialect } from './dialect';
import { presentNames } from './names';
import { presentTimes } from './timestamps';

type Fields = Record<string, unknown>;

/** The answer of `GET /me` (contract, section 2.1). */
export function presentUser(account: StoredAccount, dialect: Dialect): Fields {
	return {
		[dialect.userIdField]: account.userId,
		...(dialect.extraFields && { email: account.email }),
	};
}

/** A stored subscription as answers carry it. */
export function presentWebhook(webhook: StoredWebhook, dialect: Dialect): Fields {
	const { metaData, workspaceId, ...rest } = webhook;
	return presentNames(
		{
			...rest,
			...(dialect.extraFields && { metaData, workspaceId }),
			...presentTimes(webhook, dialect),
		},
		dialect.webhookFieldNames,
	);
}
