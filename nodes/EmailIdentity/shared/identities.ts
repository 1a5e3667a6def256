import { isMissing, statusOf } from '../api/errors';
import type { Entry } from '../api/json';
import { isSameId, isUuid, readAccount, toIdentity, type Identity } from '../api/resources';
import type { Unusable } from '../api/responses';
import type { EmailIdentityService } from '../api/service';
import { Cache, identityKey, identityKeysOf, monotonicNow } from '../../../lib/basics';

/** For unknown kinds, the value decides. */
export function isDomainIdentity({ kind, value }: Pick<Identity, 'kind' | 'value'>): boolean {
	const known = kind?.toLowerCase();
	if (known === 'domain' || known === 'email') return known === 'domain';
	// A domain may start with an at sign.
	return value !== null && !/.@/.test(value);
}

export type IdentityLook = { identity: Identity & { workspaceId?: string | null } } | Unusable;

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
	const entry = await service.getIdentity(id).catch(async (error: unknown) => {
		if (isMissing(error)) return undefined;
		// A service that uses UUIDs may fail on any other ID (Kurrier 3.5.0: 500).
		const mayBeNoId = statusOf(error) === 500 && !isUuid(id);
		if (mayBeNoId && !(await isListed(service, id))) return undefined;
		throw error;
	});
	const shown = name.replace(/\s+/g, ' ').trim().slice(0, MAX_SHOWN_NAME);
	if (entry === undefined) {
		return unusable(`No such identity, or the API key has no access to it: ${shown}`);
	}
	const identity = { ...toIdentity(entry), ...readAccount(entry), id };
	if (identity.ownerId === null || identity.sharedWithWorkspace === true) return { identity };
	if (isSameId(identity.ownerId, await service.ownerId())) return { identity };
	if (await isListed(service, id)) return { identity };
	return unusable(`The identity ${shown} belongs to another account`);
}

async function isListed(service: EmailIdentityService, id: string): Promise<boolean> {
	return (await service.listIdentities()).map(toIdentity).some((one) => isSameId(one.id, id));
}

const unusable = (message: string): Unusable => ({
	problem: { message, description: CHOOSE_ANOTHER },
});

export type OwnIdentities = ReturnType<typeof toOwnIdentities>;

const MINUTE_MS = 60_000;
const USUAL_AGE_MS = 5 * MINUTE_MS;

/** Strangers cause them. After a failure, the service is left alone for a minute. */
const MAX_LISTS_A_MINUTE = 10;

const MAX_CREDENTIALS = 100;

interface IdentityList {
	/** Those before a failure. */
	identities: OwnIdentities | undefined;
	isFailed: boolean;
	/** When it was requested in the last minute, see `monotonicNow`. */
	requests: number[];
}

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
		const {
			identities: before,
			isFailed,
			requests = [],
		} = this.lists.last(credential)?.answer ?? {};
		const lately = requests.filter((time) => now - time < MINUTE_MS);
		const isLimited = lately.length >= (isFailed ? 1 : MAX_LISTS_A_MINUTE);
		const ask = async () => ({
			requests: [...lately, now],
			...(await list().then(
				(entries) => ({ identities: toOwnIdentities(entries), isFailed: false }),
				() => ({ identities: before, isFailed: true }),
			)),
		});
		return (await this.lists.once(credential, ask, isLimited ? Infinity : now - notBefore))
			.identities;
	}
}

export function toOwnIdentities(entries: Entry[]) {
	const own = new Set(entries.map((entry) => identityKey(toIdentity(entry).value ?? '')));
	/** Whether mail to an address, with or without a plus tag, is for one that the API key can see. */
	return { isOwn: (address: string) => identityKeysOf(address).some((key) => own.has(key)) };
}
