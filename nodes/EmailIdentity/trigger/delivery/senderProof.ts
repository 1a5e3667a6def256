import type { INodeExecutionData } from 'n8n-workflow';

import type { Authentication } from '../../dns/senders';
import type { OpenedEmail } from '../../email';
import type { DeliveryParameters } from '../parameters';
import { addressToProve } from './addressPatterns';
import type { Step } from './mail';
import { ignore, reject, type Ignored, type Unproved } from './outcomes';

const noAnswer = (because: string): string => `no DNS resolver answered (${because})`;

/**
 * Checks the sender, where that was asked for, and ignores the email where only proved senders may start the workflow.
 *
 * @throws RefusedDelivery 503 when that cannot be found out because the DNS cannot be asked: a service that repeats
 * deliveries brings it again. While you listen for a test event, the editor reports it instead
 */
export const unproved: Step = async (mail, request) => {
	const { senderCheck, dnsResolver, trustedServers } = request.parameters;
	if (senderCheck === 'off') return undefined;
	const { received, open } = mail.email;
	const opened = await open();
	const onlyForProof = senderCheck === 'require';
	const fields = { dnsResolver, trustedServers, onlyForProof };
	const check = await request.authenticateSender(received, opened, fields);
	const { authentication, retryable, because = '' } = check;
	mail.sender = check;
	if (!onlyForProof) {
		if (retryable) request.log('warn', 'accepted without a check of its sender', noAnswer(because));
		return undefined;
	}
	if (retryable) {
		if (request.scope.listening === 'test') return filteredFor('dns', because);
		reject('senderUnchecked', noAnswer(because));
	}
	const why = received.rawEmail ? whyUnproved(authentication, opened) : 'noRawEmail';
	return why && filteredFor(why);
};

/** A fault while the email was read puts other words than its own into the items. */
export function isProofLost(
	{ senderCheck }: DeliveryParameters,
	items: INodeExecutionData[],
): Ignored | undefined {
	const isLost = senderCheck === 'require' && items.some(({ json }) => json.parsed === false);
	return isLost ? filteredFor('unknown') : undefined;
}

/** Named like a filter. */
function filteredFor(unproved: Unproved, found?: string): Ignored {
	return ignore('filtered', { filter: 'Sender Check', unproved, found });
}

function whyUnproved(
	{ domain, result }: Authentication,
	{ from }: OpenedEmail,
): Unproved | undefined {
	if (result !== 'pass') return result;
	// What the workflow and the filter From are given must be what was proved, however others read the header.
	const isSame = domain !== null && addressToProve(from)?.endsWith(`@${domain}`) === true;
	return isSame ? undefined : 'fail';
}
