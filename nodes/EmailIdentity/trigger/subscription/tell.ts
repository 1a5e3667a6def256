import type { StoredSubscription } from '../staticData';
import type { Ensured } from './ensure';
import type { Place } from './plan';

/** Names the subscription for someone who reads n8n's log. Addresses are named without the secret. */
const subject = ({ name }: Place) => `Email Identity Trigger "${name}"`;

/** The lines of n8n's log, and what the user reads beyond the words of `api/`. None holds a secret. */
export const tell = {
	address: ({ address }: Place, problem: string) =>
		`The service cannot deliver to this n8n: its webhook URL ${address} ${problem}. ` +
		'Set the environment variable WEBHOOK_URL of n8n to its public https:// address, ' +
		'or switch on Allow Private Webhook URLs in the credential if the service is on the same network.',

	foreignIdentity:
		'The API key has no access to the identity that is chosen under Identity. Choose one of its own ' +
		'account, or use the API key of the account that owns it.',

	mended: (place: Place, { id, done }: Ensured) =>
		`${subject(place)}: the webhook subscription ${id ?? ''} was mended (${done.join(', ')}).`,

	unchecked: (place: Place, reason: string) =>
		`${subject(place)}: the webhook subscription could not be checked; the workflow stays active. ${reason}`,

	unretired: (place: Place, reason: string) =>
		`${subject(place)}: the webhook subscription could not be switched off, so the service may go on ` +
		`sending to ${place.address}, which n8n refuses. It is mended at the next activation; until then ` +
		`it can be paused in the service. ${reason}`,

	formerAccount: (place: Place, { id, ownerId }: StoredSubscription) =>
		`${subject(place)}: the credential belongs to another account now. The webhook subscription ${id} ` +
		`of the former account${ownerId === '' ? '' : ` (user ${ownerId})`} can no longer be switched off from here: delete it there.`,

	untouchable: (place: Place, ids: readonly string[]) =>
		`${subject(place)}: the webhook subscriptions ${ids.join(', ')} point at this node too, but belong ` +
		'to another account. What they deliver is refused; delete them there.',
};
