import { createHash } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import { readAccount, type Account } from '../../api/resources';
import type { EmailIdentityService } from '../../api/service';
import { BoundedMap } from '../../lib/boundedMap';
import { secretOfQuery } from '../secret';
import type { StoredSubscription } from '../staticData';
import { findBySecret } from './ownSubscription';

/** How many subscriptions' accounts are kept that static data do not tell. */
const MOST_ACCOUNTS = 100;

/** By digest of the subscription's secret, the one that was asked for longest ago first. */
const accounts = new BoundedMap<string, Promise<Account>>(MOST_ACCOUNTS);

/**
 * Whose the subscription is, as it was stored with it.
 *
 * @param stored the one whose secret was presented; another one may be another account's
 * @returns undefined when that is not known: static data that are not saved yet, or older than this
 */
export function accountOfStored(stored: StoredSubscription | undefined): Account | undefined {
	if (!stored?.ownerId || stored.workspaceId === undefined) return undefined;
	return { ownerId: stored.ownerId, workspaceId: stored.workspaceId };
}

/**
 * Asks the service whose the subscription is that delivers with this secret: once in each process.
 *
 * @throws NodeApiError when it cannot be asked
 */
export async function askOwnAccount(
	context: IWebhookFunctions,
	service: EmailIdentityService,
): Promise<Account> {
	const secret = secretOfQuery(context.getQueryData()) ?? '';
	const key = createHash('sha256').update(secret).digest('base64');
	const known = accounts.get(key);
	if (known) return await known;
	const asking = findAccount(service, secret);
	accounts.set(key, asking);
	asking.catch(() => accounts.delete(key));
	return await asking;
}

async function findAccount(service: EmailIdentityService, secret: string): Promise<Account> {
	const subscriptions = await service.listWebhooks();
	const own = findBySecret(subscriptions, secret);
	const { ownerId = null, workspaceId = null } = own ? readAccount(own) : {};
	return { ownerId: ownerId ?? (await service.ownerId()), workspaceId };
}
