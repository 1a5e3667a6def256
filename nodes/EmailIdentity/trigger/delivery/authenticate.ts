import { deriveSecret, digestSecret, matchesDigest } from '../../shared/secret';
import { refuse, type Refused } from './outcomes';
import type { Arrived, Authenticated, DeliveryHost } from './stages';

/** Checks the secret. Only then are the body read and the expressions of parameters evaluated. */
export async function authenticate(
	arrived: Arrived,
	host: DeliveryHost,
): Promise<Authenticated | Refused> {
	const { readBody, readParameters, secret, ...known } = arrived;
	if (secret === undefined) return refuse('secretMissing');
	if (secret === '') return refuse('secretEmpty');
	const refused = hasStoredSecret({ ...known, secret })
		? undefined
		: await checkByCredential(secret, arrived, host);
	if (refused) return refused;
	const body = await readBody();
	if ('outcome' in body) return body;
	return { ...known, secret, body: body.value, parameters: readParameters() };
}

/** Saves decrypting the credential, and keeps deliveries valid after a change of the API key, until the URL is new. */
export function hasStoredSecret({
	secret,
	stored,
}: Pick<Authenticated, 'secret' | 'stored'>): boolean {
	return matchesDigest(secret, String(stored?.secretDigest));
}

/** For a delivery that arrives before n8n saved its static data, and after the node was renamed. */
async function checkByCredential(
	secret: string,
	arrived: Arrived,
	{ service }: DeliveryHost,
): Promise<Refused | undefined> {
	const credential = await service({})
		.credential()
		.catch(() => undefined);
	if (credential === undefined) return refuse('secretUnchecked');
	const digest = digestSecret(deriveSecret(credential.apiKey, arrived.scope));
	return matchesDigest(secret, digest) ? undefined : refuse('secretWrong');
}
