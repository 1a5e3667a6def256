import type { IBinaryData } from 'n8n-workflow';

import type { Account } from '../../api/resources';
import type { RetryPolicy } from '../../api/retry';
import type { EmailIdentityService } from '../../api/service';
import type { SenderCheck } from '../../../../lib/proof';
import type { EmailText, OpenedEmail } from '../../../../lib/email';
import { BoundedMap, LogThrottle, type Pause } from '../../../../lib/basics';
import { type OwnIdentities, OwnIdentityLists } from '../../shared/identities';
import type { SenderCheckFields } from '../../shared/dnsAccess';
import type { DeliveryParameters } from '../parameters';
import { Restrictions } from '../restriction';
import { matchesDigest, type SecretScope } from '../../shared/secret';
import type { StoredSubscription } from '../staticData';
import { OnceOnly, type SeenMessages } from './onceOnly';
import type { LogLevel } from './outcomes';

const MAX_ACCOUNTS = 100;
/** Each takes some two hundred bytes. */
const MAX_CORRESPONDENTS = 10_000;

/** The sender of the delivery waits meanwhile, and on some services every user's mail behind it. Milliseconds. */
interface Patience extends Partial<RetryPolicy> {
	/** Until all requests of the service end. */
	within?: number;
}

export const once = (within = 2_000): Patience => ({ attempts: 1, timeout: within, within });

/** One delivery, as far as n8n tells of it. Only the door reads n8n's context; a test can write one down. */
export interface DeliveryRequest {
	scope: SecretScope;
	workflowId: string;
	/** Names the credential among those of this n8n. */
	credentialId: string;
	/** As `monotonicNow` has it. */
	arrivedAt: number;
	secret: string | undefined;
	/** @throws RefusedDelivery for what is not JSON */
	readBody(): Promise<unknown>;
	parameters: DeliveryParameters;
	/** The subscription that this n8n made for this address. */
	stored: StoredSubscription | undefined;
	/** What static data hold of the messages that started the workflow. */
	seen: unknown;
	/** Has n8n save with the answer what is known then: other deliveries may be saved in between. */
	remember(seen: SeenMessages): void;
	/** Resolves when the connection is closed: with the status that n8n answered, undefined when the sender hung up before. */
	closed: Promise<number | undefined>;
	memory: DeliveryMemory;
	pause: Pause;
	service(patience: Patience): EmailIdentityService;
	authenticateSender(
		email: EmailText,
		opened: OpenedEmail,
		fields: SenderCheckFields,
	): Promise<SenderCheck>;
	prepareFile(content: Buffer, fileName: string, mimeType: string): Promise<IBinaryData>;
	/**
	 * For each outcome and reason, neither of which may hold anything of what was delivered.
	 *
	 * @param throttle by default one line a minute
	 */
	log(level: LogLevel, outcome: string, why: string, throttle?: LogThrottle): void;
}

/** What this process remembers of deliveries. It is lost when n8n ends; what must not be is in static data. */
export type DeliveryMemory = ReturnType<typeof createDeliveryMemory>;

export function createDeliveryMemory(restrictions = new Restrictions()) {
	return {
		onceOnly: new OnceOnly(),
		restrictions,
		ownIdentities: new OwnIdentityLists(),
		/** By digest of the subscription's secret. */
		accounts: new BoundedMap<string, Promise<Account>>(MAX_ACCOUNTS),
		/** Webhook and correspondent → when their automatic emails started the workflow, see `monotonicNow`. */
		automaticStarts: new BoundedMap<string, number[]>(MAX_CORRESPONDENTS),
		logThrottle: new LogThrottle(),
		/** For settings that somebody has to correct. */
		hourlyThrottle: new LogThrottle(3_600_000),
	};
}

/** Whether the delivery came with the secret of the stored subscription. */
export function hasStoredSecret({ secret = '', stored }: DeliveryRequest): boolean {
	return matchesDigest(secret, String(stored?.secretDigest));
}

/**
 * @param notBefore an older list does not count, see `monotonicNow`
 * @returns undefined when the service does not tell within two seconds and did not tell before
 */
export async function ownIdentitiesOf(
	{ memory, credentialId, service }: DeliveryRequest,
	notBefore?: number,
): Promise<OwnIdentities | undefined> {
	const list = async () => await service(once()).listIdentities();
	return await memory.ownIdentities.ask(credentialId, list, notBefore);
}
