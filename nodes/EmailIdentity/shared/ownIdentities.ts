import { createHash } from 'crypto';

import { CREDENTIAL_TYPE, readCredential } from '../api/credential';
import { toIdentity } from '../api/resources';
import { createService } from '../api/service';
import type { ApiContext, Entry } from '../api/types';
import { identityKey, identityKeysOf } from '../lib/addresses';
import { BoundedMap } from '../lib/boundedMap';

/** The addresses and domains that an API key can see. */
export interface OwnIdentities {
	/**
	 * Whether mail to an address is mail for one of them: it is an identity itself, with or without a plus tag, or its
	 * domain is one. Upper and lower case are the same.
	 */
	isOwn(address: string): boolean;
}

/** A delivery waits meanwhile, so it is asked once and not again. Milliseconds. */
const LONGEST_WAIT = 2000;
const ONE_ATTEMPT = { attempts: 1, timeout: LONGEST_WAIT };

/** How long an answer counts, and how long a service that gave none is left alone. Milliseconds. */
const FRESH_FOR = 5 * 60_000;
const LEFT_ALONE_FOR = 60_000;

/** How many credentials' lists are kept. An n8n with more of them asks more often. */
const MOST_LISTS = 100;

interface KnownList {
	/** When it is asked again, in milliseconds since 1970; Infinity while a question is under way. */
	askedAgainAt: number;
	/** What the last question gave; the answer before it, where it gave none. */
	identities: Promise<OwnIdentities | undefined>;
}

/** By credential, the one that was asked longest ago first. */
const lists = new BoundedMap<string, KnownList>(MOST_LISTS);

/**
 * The identities of the account whose credential the node has: `GET /identities`, at most every few minutes for each
 * credential, and once for all who ask at the same time.
 *
 * @returns undefined when the service does not tell within two seconds and did not tell before; never fails
 */
export async function askOwnIdentities(context: ApiContext): Promise<OwnIdentities | undefined> {
	try {
		const key = await keyOf(context);
		const known = lists.get(key);
		if (known && Date.now() < known.askedAgainAt) return await known.identities;
		const list = askAgain(context, known?.identities);
		lists.set(key, list);
		return await list.identities;
	} catch {
		return undefined;
	}
}

function askAgain(context: ApiContext, before: KnownList['identities'] | undefined): KnownList {
	const signal = AbortSignal.timeout(LONGEST_WAIT);
	const leftAloneUntil = Date.now() + LEFT_ALONE_FOR;
	const service = createService(context, { retry: ONE_ATTEMPT, signal });
	const list: KnownList = {
		askedAgainAt: Infinity,
		identities: service.listIdentities().then(
			(entries) => {
				list.askedAgainAt = Date.now() + FRESH_FOR;
				return toOwnIdentities(entries);
			},
			async () => {
				list.askedAgainAt = leftAloneUntil;
				return await before;
			},
		),
	};
	return list;
}

/**
 * The credential's ID, as reading a credential costs n8n more than everything else that is done for a small email. One
 * that is edited counts when the list is asked for again.
 */
async function keyOf(context: ApiContext): Promise<string> {
	const id = context.getNode().credentials?.[CREDENTIAL_TYPE]?.id;
	if (id) return id;
	const { baseUrl, apiKey } = await readCredential(context);
	return createHash('sha256')
		.update(JSON.stringify([baseUrl, apiKey]))
		.digest('base64');
}

/** Whatever the service calls their kinds: what has a mailbox before its domain is an address. */
export function toOwnIdentities(entries: Entry[]): OwnIdentities {
	const own = new Set(entries.map((entry) => identityKey(toIdentity(entry).value ?? '')));
	return { isOwn: (address) => identityKeysOf(address).some((key) => own.has(key)) };
}
