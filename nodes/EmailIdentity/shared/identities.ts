import { isMissing, statusOf } from '../api/errors';
import type { Entry } from '../api/json';
import type { Advice } from '../api/request';
import { isSameId, isUuid, readAccount, toIdentity, type Identity } from '../api/resources';
import type { EmailIdentityService } from '../api/service';
import { BoundedMap, identityKey, identityKeysOf, monotonicNow } from '../../../lib/basics';

/** For unknown kinds, the value decides. */
export function isDomain({ kind, value }: Pick<Identity, 'kind' | 'value'>): boolean {
	const known = kind?.toLowerCase();
	if (known === 'domain' || known === 'email') return known === 'domain';
	// A domain may start with an at sign.
	return value !== null && !/.@/.test(value);
}

export type IdentityLook =
	{ identity: Identity & { workspaceId?: string | null } } | { refusal: Advice };

const CHOOSE_ANOTHER =
	"Choose one under 'From List', or use the API key of the account that owns it.";

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
	const identity = { ...toIdentity(entry), ...readAccount(entry), id };
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

export interface OwnIdentities {
	/** Whether mail to an address, with or without a plus tag, is for one that the API key can see. */
	isOwn(address: string): boolean;
}

const MINUTE_MS = 60_000;
const FRESH_FOR_MS = 5 * MINUTE_MS;

const MAX_QUESTIONS_A_MINUTE = 10;

const MAX_LISTS = 100;

interface KnownList {
	askedAt: number[];
	isFailed: boolean;
	/** If the last question failed, the answer before it. */
	identities: Promise<OwnIdentities | undefined>;
}

/** By credential. */
export class OwnIdentityLists {
	private readonly lists = new BoundedMap<string, KnownList>(MAX_LISTS);

	/**
	 * Requests the list once for all that wait. After a failure, the service is left alone for a minute. Never fails.
	 *
	 * @param notBefore an older list is requested again, within a limit; see `monotonicNow`
	 */
	async ask(
		credential: string,
		list: () => Promise<Entry[]>,
		notBefore = monotonicNow() - FRESH_FOR_MS,
	): Promise<OwnIdentities | undefined> {
		const known = this.lists.get(credential);
		const identities = await known?.identities;
		if (known?.askedAt.some((time) => time >= notBefore)) return identities;
		// Someone else asked meanwhile.
		if (this.lists.get(credential) !== known) return await this.ask(credential, list, notBefore);
		const lately = known?.askedAt.filter((time) => monotonicNow() - time < MINUTE_MS) ?? [];
		if (lately.length >= (known?.isFailed ? 1 : MAX_QUESTIONS_A_MINUTE)) return identities;
		const asking: KnownList = {
			askedAt: [...lately, monotonicNow()],
			isFailed: false,
			identities: list().then(toOwnIdentities, () => {
				asking.isFailed = true;
				return identities;
			}),
		};
		this.lists.set(credential, asking);
		return await asking.identities;
	}
}

export function toOwnIdentities(entries: Entry[]): OwnIdentities {
	const own = new Set(entries.map((entry) => identityKey(toIdentity(entry).value ?? '')));
	return { isOwn: (address) => identityKeysOf(address).some((key) => own.has(key)) };
}
