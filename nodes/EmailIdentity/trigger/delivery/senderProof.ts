import type { IDataObject } from 'n8n-workflow';

import type { DeliveryParameters } from '../settings/settings';
import { addressToProve } from '../settings/addressPatterns';
import { ignore, refuse, type Ignored } from './outcomes';
import type { Step } from './stages';

const NO_RAW_EMAILS =
	"'Sender Check' needs raw emails, which the service does not return for 'Verify With the API'.";

/** If the DNS cannot be asked, a service that repeats deliveries brings the email again. For a test event, the editor says it. */
export const unproved: Step = async (delivery, host) => {
	const { parameters, scope, email } = delivery;
	const { senderCheck, dnsResolver, trustedServers, verify } = parameters;
	if (senderCheck === 'off') return delivery;
	const onlyForProof = senderCheck === 'require';
	const fields = { dnsResolver, trustedServers, onlyForProof };
	const checked = { ...delivery, ...(await host.authenticateSender(email, fields)) };
	const { authentication, retryable, because = '' } = checked.sender;
	const { result, domain, reason } = authentication;
	const noAnswer = `no DNS resolver answered (${because})`;
	if (!onlyForProof) {
		if (retryable) host.log('warn', 'accepted without a check of its sender', noAnswer);
		return checked;
	}
	if (retryable && scope.listening !== 'test') return refuse('senderUnchecked', noAnswer);
	if (!email.received.rawEmail)
		return { ...filteredFor('noRawEmail', reason), warning: verify ? NO_RAW_EMAILS : undefined };
	if (result !== 'pass') return filteredFor(result, reason);
	// What the workflow and the filter From are given must be what was proved, however others read the header.
	const { from } = await checked.email.open();
	const isSame = domain !== null && addressToProve(from)?.endsWith(`@${domain}`) === true;
	return isSame ? checked : filteredFor('fail');
};

/** A fault while the email was read puts other words than its own into the output. */
export function isProofLost(
	{ senderCheck }: DeliveryParameters,
	{ parsed }: IDataObject,
): Ignored | undefined {
	if (senderCheck !== 'require' || parsed !== false) return undefined;
	return filteredFor('unknown');
}

/** Named like a filter. */
function filteredFor(result: string, because?: string | null): Ignored {
	const words = "does not pass 'Sender Check'";
	return ignore('filtered', { filter: `Sender Check: ${result}`, words, because });
}
