import type { Entry } from '../../api/data/json';
import { toIdentity } from '../../api/data/resources';
import {
	addressKeysOf,
	Cache,
	identityKey,
	identityKeysOf,
	monotonicNow,
} from '../../../../lib/basics';

/** The identities that the API key can see. */
export interface OwnIdentities {
	/** Whether mail to an address, with or without a plus tag, is for one of them. */
	isOwn(address: string): boolean;
	/** The same for identities that are addresses: a domain may have mailboxes that belong to others. */
	isOwnAddress(address: string): boolean;
}

export function toOwnIdentities(entries: Entry[]): OwnIdentities {
	const own = new Set<string>();
	for (const entry of entries) {
		const { value } = toIdentity(entry);
		own.add(identityKey(value ?? ''));
	}
	return {
		isOwn: (address) => identityKeysOf(address).some((key) => own.has(key)),
		isOwnAddress: (address) => addressKeysOf(address).some((key) => own.has(key)),
	};
}

const MINUTE_MS = 60_000;
const USUAL_AGE_MS = 5 * MINUTE_MS;

/**
 * Anyone who sends email can make a delivery ask for the list: with thousands of emails to unknown addresses, the service would get
 * thousands of requests. After a failure, the service is left alone for a minute.
 */
const MAX_LISTS_A_MINUTE = 10;

const MAX_CREDENTIALS = 100;

interface IdentityList {
	/** After a failure, those from before it; undefined if there were none. */
	identities: OwnIdentities | undefined;
	/** Whether the last request failed. */
	isFailed: boolean;
	/** When it was requested in the last minute, see `monotonicNow`. */
	requests: number[];
}

const NOT_REQUESTED: IdentityList = {
	identities: undefined,
	isFailed: false,
	requests: [],
};

/** The account's identities, for all emails of a credential. */
export class OwnIdentityLists {
	private readonly lists = new Cache<IdentityList>({ maxWeight: MAX_CREDENTIALS });

	/**
	 * Requests the list once for all that wait, and never fails.
	 *
	 * @param notBefore an older list is requested again, within a limit; see `monotonicNow`
	 */
	async ask(
		credential: string,
		list: () => Promise<Entry[]>,
		notBefore = monotonicNow() - USUAL_AGE_MS,
	): Promise<OwnIdentities | undefined> {
		const now = monotonicNow();
		const before = this.lists.last(credential)?.answer ?? NOT_REQUESTED;
		const lately = before.requests.filter((time) => now - time < MINUTE_MS);
		const limit = before.isFailed ? 1 : MAX_LISTS_A_MINUTE;
		const isLimitReached = lately.length >= limit;
		// A list of any age is better than a request beyond the limit.
		const maxAge = isLimitReached ? Infinity : now - notBefore;

		const request = async (): Promise<IdentityList> => {
			const requests = [...lately, now];
			try {
				const identities = toOwnIdentities(await list());
				return { identities, isFailed: false, requests };
			} catch {
				return { identities: before.identities, isFailed: true, requests };
			}
		};
		const { identities } = await this.lists.once(credential, request, maxAge);
		return identities;
	}
}
