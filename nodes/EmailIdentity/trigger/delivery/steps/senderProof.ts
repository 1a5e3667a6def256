import type { IDataObject } from 'n8n-workflow';

import type { CheckedMessage, CheckedSender } from '../../../shared/reading/authenticateSender';
import { addressToProve } from '../../settings/addressPatterns';
import type { DeliveryParameters } from '../../settings/settings';
import { ignore, refuse, type Ignored, type Refused } from '../outcomes';
import type { ParsedDelivery, Step } from '../stages';

const NO_RAW_EMAILS =
	"'Sender Check' needs raw emails, which the service does not return for 'Verify With the API'.";

/** Checks the sender. With Require, ignores an email without proof. */
export const senderChecked: Step = async (delivery, host) => {
	const { senderCheck, dnsResolver, trustedServers } = delivery.parameters;
	if (senderCheck === 'off') return delivery;
	const onlyForProof = senderCheck === 'require';
	const fields = { dnsResolver, trustedServers, onlyForProof };
	const checked = await host.authenticateSender(delivery.email, fields);
	const { sender } = checked;
	if (onlyForProof) {
		const why = await whyNotProved(delivery, checked);
		if (why) return why;
	} else if (sender.retryable) {
		host.log('warn', 'accepted without a check of its sender', noAnswer(sender));
	}
	return { ...delivery, ...checked };
};

/** Undefined if the sender is proved. */
async function whyNotProved(
	{ parameters, scope }: ParsedDelivery,
	{ sender, email }: CheckedMessage,
): Promise<Ignored | Refused | undefined> {
	const { result, domain, reason } = sender.authentication;
	// A service that repeats deliveries brings the email again. For a test event, the editor says it.
	if (sender.retryable && scope.listening !== 'test')
		return refuse('senderUnchecked', noAnswer(sender));
	if (!email.received.rawEmail) {
		const ignored = filteredFor('noRawEmail', reason);
		if (parameters.verify) ignored.warning = NO_RAW_EMAILS;
		return ignored;
	}
	if (result !== 'pass') return filteredFor(result, reason);

	// The workflow and the filter From must get the address that was proved, however others read the header.
	const { from } = await email.open();
	const address = addressToProve(from);
	const isSame = domain !== null && address?.endsWith(`@${domain}`) === true;
	return isSame ? undefined : filteredFor('fail');
}

function noAnswer({ because = '' }: CheckedSender): string {
	return `no DNS resolver answered (${because})`;
}

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
