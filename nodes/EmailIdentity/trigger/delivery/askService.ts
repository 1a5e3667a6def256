import { isRouteMissing, lacksRight, statusOf } from '../../api/errors';
import type { OwnIdentities } from '../../shared/identities';
import { refuse, type RefusalKind, type Refused } from './outcomes';
import type { DeliveryHost, Letter, Patience } from './stages';

export const once = (withinMs = 2_000): Patience => ({
	attempts: 1,
	timeout: withinMs,
	withinMs,
});

export function refuseFor(kind: RefusalKind, error: unknown): Refused {
	const status = statusOf(error);
	if (isRouteMissing(error))
		return refuse(kind, 'the service does not support fetching single messages');
	if (status === undefined) return refuse(kind, 'the service sent no readable answer in time');
	if (lacksRight(error)) return refuse(kind, `${error.message}. ${error.description ?? ''}`);
	return refuse(kind, `the service answered ${status}`);
}

/** @param notBefore an older list does not count, see `monotonicNow` */
export async function ownIdentitiesOf(
	letter: Letter,
	{ memory, service }: DeliveryHost,
	notBefore?: number,
): Promise<OwnIdentities | undefined> {
	const list = async () => await service(once()).listIdentities();
	return await memory.ownIdentities.ask(letter.credentialId, list, notBefore);
}
