import {
	deriveSecret,
	digestSecret,
	matchesDigest,
	type SecretScope,
} from '../../../shared/secret';
import type { DeliveryHost } from '../deliveryHost';
import { refuse, type Refused } from '../outcomes';
import type { Arrived } from '../stages';

/** @returns why a delivery is refused; undefined if its secret is right */
export async function checkSecret(
	arrived: Arrived,
	host: DeliveryHost,
): Promise<Refused | undefined> {
	const { secret } = arrived;
	if (secret === undefined) return refuse('secretMissing');
	if (secret === '') return refuse('secretEmpty');
	if (hasStoredSecret(arrived)) return undefined;
	return await checkByCredential(secret, arrived.scope, host);
}

/** Saves decrypting the credential, and keeps deliveries valid after a change of the API key, until the URL is new. */
export function hasStoredSecret({
	secret = '',
	stored,
}: Pick<Arrived, 'secret' | 'stored'>): boolean {
	return matchesDigest(secret, String(stored?.secretDigest));
}

/** For a delivery that arrives before n8n saved its static data, and after the node was renamed. */
async function checkByCredential(
	secret: string,
	scope: SecretScope,
	{ service }: DeliveryHost,
): Promise<Refused | undefined> {
	const credential = await service({})
		.credential()
		.catch(() => undefined);
	if (credential === undefined) return refuse('secretUnchecked');
	const digest = digestSecret(deriveSecret(credential.apiKey, scope));
	return matchesDigest(secret, digest) ? undefined : refuse('secretWrong');
}
