import { isResourceMissing, statusOf } from '../api/failures/errors';
import type { Entry } from '../api/data/json';
import { isSameId, isUuid, readAccount, toIdentity, type Identity } from '../api/data/resources';
import type { Unusable } from '../api/requests/envelopes';
import type { EmailIdentityService } from '../api/service';
import {
	addressKeysOf,
	Cache,
	identityKey,
	identityKeysOf,
	monotonicNow,
} from '../../../lib/basics';

export interface FoundIdentity {
	/** The workspace is absent if the identity comes from a list, null if the service does not show it. */
	identity: Identity & { workspaceId?: string | null };
}

/** The identity, or why it cannot be used. */
export type IdentityLook = FoundIdentity | Unusable;

const CHOOSE_ANOTHER =
	"Choose one under 'From List', or use the API key of the account that owns it.";

// The name comes from the workflow, which may be someone else's.
const MAX_SHOWN_NAME = 320;

/**
 * Looks up the chosen identity, because services accept any ID, even of another account or of a missing identity.
 *
 * | the service | the identity |
 * | --- | --- |
 * | does not show it (403, 404; 500 if it is not an ID and not in the list) | is deleted or belongs to another account: refused |
 * | shows it as owned by the key's user, or shows no owner | used |
 * | shows another owner, but it is shared with the workspace or in the key's list | used |
 * | shows another owner otherwise | refused |
 */
export async function lookUpIdentity(
	service: EmailIdentityService,
	id: string,
	name = id,
): Promise<IdentityLook> {
	const shownName = name.replace(/\s+/g, ' ').trim().slice(0, MAX_SHOWN_NAME);
	const entry = await getIdentityIfShown(service, id);
	if (entry === undefined) {
		return unusable(`No such identity, or the API key has no access to it: ${shownName}`);
	}
	const identity = { ...toIdentity(entry), ...readAccount(entry), id };
	if (identity.ownerId === null || identity.sharedWithWorkspace === true) return { identity };
	const userId = await service.ownerId();
	if (isSameId(identity.ownerId, userId)) return { identity };
	if (await isListed(service, id)) return { identity };
	return unusable(`The identity ${shownName} belongs to another account`);
}

/** @returns undefined if the service does not show the identity */
async function getIdentityIfShown(
	service: EmailIdentityService,
	id: string,
): Promise<Entry | undefined> {
	return await service.getIdentity(id).catch(async (error: unknown) => {
		if (isResourceMissing(error)) return undefined;
		// A service that uses UUIDs may fail on any other ID (Kurrier 3.5.0: 500).
		const mayBeNoId = statusOf(error) === 500 && !isUuid(id);
		if (mayBeNoId && !(await isListed(service, id))) return undefined;
		throw error;
	});
}

async function isListed(service: EmailIdentityService, id: string): Promise<boolean> {
	const entries = await service.listIdentities();
	return entries.some((entry) => isSameId(toIdentity(entry).id, id));
}

function unusable(message: string): Unusable {
	return { problem: { message, description: CHOOSE_ANOTHER } };
}

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

/** Strangers cause them. After a failure, the service is left alone for a minute. */
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
