import type { IWebhookFunctions } from 'n8n-workflow';

import { readCredential } from '../../api/credential';
import {
	deriveSecret,
	digestSecret,
	matchesDigest,
	secretOfQuery,
	secretScope,
	type Listening,
} from '../secret';
import { triggerStaticData, type StoredSubscription } from '../staticData';
import { reject } from './responses';

const SECRET_MISSING = {
	status: 401,
	message:
		'The secret of this address is missing: a gateway or proxy in between has to hand on the query',
};
const SECRET_WRONG = { status: 401, message: 'The secret of this address is wrong' };
const CANNOT_CHECK = {
	status: 503,
	message: 'The secret cannot be checked just now',
	retryAfter: 60,
};

/** Whether this delivery came to the production address or to the one for test events. */
export function listeningOf(context: IWebhookFunctions): Listening {
	return context.getMode() === 'manual' ? 'test' : 'production';
}

/**
 * Checks that whoever delivers knows the secret of the subscription's URL.
 *
 * The stored digest spares decrypting the credential, and keeps deliveries valid after the API key was
 * changed, until the subscription was given its new URL. Where there is none (a delivery that arrives
 * before n8n saved its static data, a renamed node), the credential tells the secret.
 *
 * @returns the stored subscription whose secret it is; undefined when that is another one's, or none is stored
 * @throws RefusedDelivery when it is missing or wrong
 */
export async function authenticate(
	context: IWebhookFunctions,
): Promise<StoredSubscription | undefined> {
	const received = secretOfQuery(context.getQueryData());
	if (received === undefined) reject(SECRET_MISSING);
	const scope = secretScope(context, listeningOf(context));
	const { subscription } = triggerStaticData(context);
	const stored =
		subscription?.instanceId === scope.instanceId && subscription.listening === scope.listening
			? subscription.secretDigest
			: undefined;
	if (typeof stored === 'string' && matchesDigest(received, stored)) return subscription;
	const apiKey = await readApiKey(context);
	if (!matchesDigest(received, digestSecret(deriveSecret(apiKey, scope)))) {
		reject(SECRET_WRONG);
	}
	return undefined;
}

async function readApiKey(context: IWebhookFunctions): Promise<string> {
	try {
		return (await readCredential(context)).apiKey;
	} catch {
		reject(CANNOT_CHECK);
	}
}
