import { toIdentity } from '../api/resources';
import type { Entry } from '../api/types';
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
