import type { INodeExecutionData } from 'n8n-workflow';

import type { DeliveryParameters } from '../parameters';
import { addressToProve } from './addressPatterns';
import { withEmail, type Step } from './mail';
import { ignore, reject, type Ignored } from './outcomes';

/**
 * Checks the sender, where that was asked for, and ignores the email where only proved senders may start the workflow.
 *
 * @throws RefusedDelivery 503 when that cannot be found out because the DNS cannot be asked: a service that repeats
 * deliveries brings it again. While you listen for a test event, the editor reports it instead
 */
export const unproved: Step = async (mail, request) => {
	const { senderCheck, dnsResolver, trustedServers } = request.parameters;
	if (senderCheck === 'off') return undefined;
	const { received, text, open } = mail.email;
	const opened = await open();
	const onlyForProof = senderCheck === 'require';
	const fields = { dnsResolver, trustedServers, onlyForProof };
	mail.sender = await request.authenticateSender(text(), opened, fields);
	const { authentication, retryable, because = '', content } = mail.sender;
	if (content !== undefined) mail.email = withEmail(received, request, content);
	const { result, domain, reason } = authentication;
	const noAnswer = `no DNS resolver answered (${because})`;
	if (!onlyForProof) {
		if (retryable) request.log('warn', 'accepted without a check of its sender', noAnswer);
		return undefined;
	}
	if (retryable && request.scope.listening !== 'test') reject('senderUnchecked', noAnswer);
	if (!received.rawEmail) return filteredFor('noRawEmail', reason);
	if (result !== 'pass') return filteredFor(result, reason);
	// What the workflow and the filter From are given must be what was proved, however others read the header.
	const isSame = domain !== null && addressToProve(opened.from)?.endsWith(`@${domain}`) === true;
	return isSame ? undefined : filteredFor('fail');
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
const filteredFor = (result: string, because?: string | null): Ignored =>
	ignore('filtered', { filter: `Sender Check: ${result}`, because });
