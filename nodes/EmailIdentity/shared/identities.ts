import { isMissing, statusOf } from '../api/errors';
import { isSameId, isUuid, toIdentity, type Identity } from '../api/resources';
import type { EmailIdentityService } from '../api/service';
import type { Advice, Entry } from '../api/types';
import { identityKey, identityKeysOf } from '../lib/addresses';
import { BoundedMap } from '../lib/boundedMap';

/** Whether an identity is a domain. For unknown kinds, the value decides. */
export function isDomain({ kind, value }: Pick<Identity, 'kind' | 'value'>): boolean {
	const known = kind?.toLowerCase();
	if (known === 'domain' || known === 'email') return known === 'domain';
	// A domain may start with an at sign.
	return value !== null && !/.@/.test(value);
}

export type IdentityLook = { identity: Identity } | { refusal: Advice };

const CHOOSE_ANOTHER = 'Choose another identity, or use the API key of the account that owns it.';

// The name comes from the workflow, which may be someone else's.
const MAX_NAME = 320;

/**
 * Looks up the chosen identity, because services accept any ID, even of another account or of a missing identity.
 *
 * | the service | the identity |
 * | --- | --- |
 * | does not show it (403, 404; 500 if it is not an ID and not in the list) | is deleted or belongs to another account: refused |
 * | shows it as owned by the key's user, or shows no owner | used |
 * | shows another owner, but it is shared with the workspace or in the key's list | used |
 * | shows another owner otherwise | refused |
 *
 * @param name shown in errors; the ID if there is no name
 * @throws NodeApiError when a request fails
 */
export async function lookUpIdentity(
	service: EmailIdentityService,
	id: string,
	name = id,
): Promise<IdentityLook> {
	const entry = await service.getIdentity(id).catch(async (error: unknown) => {
		if (isMissing(error)) return undefined;
		// A service that uses UUIDs may fail on any other ID (Kurrier 3.5.0: 500).
		const mayBeNoId = statusOf(error) === 500 && !isUuid(id);
		if (mayBeNoId && !(await isListed(service, id))) return undefined;
		throw error;
	});
	const shown = name.replace(/\s+/g, ' ').trim().slice(0, MAX_NAME);
	if (entry === undefined) {
		return refuse(`No such identity, or the API key has no access to it: ${shown}`);
	}
	const identity = { ...toIdentity(entry), id };
	if (identity.ownerId === null || identity.sharedWithWorkspace === true) return { identity };
	if (isSameId(identity.ownerId, await service.ownerId())) return { identity };
	if (await isListed(service, id)) return { identity };
	return refuse(`The identity ${shown} belongs to another account`);
}

async function isListed(service: EmailIdentityService, id: string): Promise<boolean> {
	return (await service.listIdentities()).map(toIdentity).some((one) => isSameId(one.id, id));
}

const refuse = (message: string): IdentityLook => ({
	refusal: { message, description: CHOOSE_ANOTHER },
});

/** The addresses and domains that an API key can see. */
export interface OwnIdentities {
	/**
	 * Whether mail to an address is mail for one of them: it is an identity itself, with or without a plus tag, or its
	 * domain is one. Upper and lower case are the same.
	 */
	isOwn(address: string): boolean;
}

/** How long an answer counts, and how long a service that gave none is left alone. Milliseconds. */
const FRESH_FOR = 5 * 60_000;
const LEFT_ALONE_FOR = 60_000;

/** How often a minute a list is asked for again because it is older than a delivery. */
const MAX_ASKED_AGAIN = 10;

/** How many credentials' lists are kept. An n8n with more of them asks more often. */
const MAX_LISTS = 100;

interface KnownList {
	/** Milliseconds since 1970. */
	askedAt: number;
	isUnderWay: boolean;
	isFailed: boolean;
	/** What the last question gave; the answer before it, where it gave none. */
	identities: Promise<OwnIdentities | undefined>;
	/** When it was asked within the last minute. */
	askedTimes: number[];
}

/** What is known of the identities of accounts, by credential. */
export class OwnIdentityLists {
	private readonly lists = new BoundedMap<string, KnownList>(MAX_LISTS);

	/**
	 * The identities of an account: `GET /identities`, at most every few minutes for each credential, and once for all who
	 * ask at the same time.
	 *
	 * @param list asks the service, once and not for long
	 * @param notBefore an older answer does not count, milliseconds since 1970; a bound per minute holds all the same
	 * @returns undefined when the service does not tell and did not tell before; never fails
	 */
	async ask(
		credential: string,
		list: () => Promise<Entry[]>,
		notBefore = Date.now() - FRESH_FOR,
	): Promise<OwnIdentities | undefined> {
		for (;;) {
			const known = this.lists.get(credential);
			if (known && (known.askedAt >= notBefore || isLeftAlone(known)))
				return await known.identities;
			if (!known?.isUnderWay) return await this.askNow(credential, list, known).identities;
			await known.identities;
		}
	}

	private askNow(
		credential: string,
		list: () => Promise<Entry[]>,
		before: KnownList | undefined,
	): KnownList {
		const askedAt = Date.now();
		const known: KnownList = {
			askedAt,
			isUnderWay: true,
			isFailed: false,
			askedTimes: [...askedLately(before), askedAt],
			identities: list().then(toOwnIdentities, async () => {
				known.isFailed = true;
				return await before?.identities;
			}),
		};
		void known.identities.finally(() => (known.isUnderWay = false));
		this.lists.set(credential, known);
		return known;
	}
}

function isLeftAlone(known: KnownList): boolean {
	if (known.isUnderWay) return false;
	const isTooOften = askedLately(known).length >= MAX_ASKED_AGAIN;
	return isTooOften || (known.isFailed && Date.now() - known.askedAt < LEFT_ALONE_FOR);
}

function askedLately(known: KnownList | undefined): number[] {
	return (known?.askedTimes ?? []).filter((time) => Date.now() - time < 60_000);
}

/** Whatever the service calls their kinds: what has a mailbox before its domain is an address. */
export function toOwnIdentities(entries: Entry[]): OwnIdentities {
	const own = new Set(entries.map((entry) => identityKey(toIdentity(entry).value ?? '')));
	return { isOwn: (address) => identityKeysOf(address).some((key) => own.has(key)) };
}
