import { withSecret, type Listening } from '../secret';
import type { SubscriptionParameters } from '../parameters';
import type { ReceivingIdentity } from '../restriction';
import { deliveredTo } from './gateway';
import type { Target } from './target';

/** What the node's subscription has to be while the node listens. */
export interface DesiredState {
	/** With the secret. */
	url: string;
	enabled: true;
	events: string[];
	/** Null for all identities, and for a domain. */
	identityId: string | null;
	description: string;
}

/** In UTF-16 units. The service keeps descriptions as free text; a longer one might come back cut, and so look edited. */
const LONGEST_NAME = 160;

/**
 * What the node's parameters and n8n's address ask for.
 *
 * @param identity the one that is chosen. Mailboxes belong to addresses: a subscription that is restricted to a domain was
 * seen to receive nothing (Kurrier 3.5.0), so for a domain it is not, and the node picks out the mail
 */
export function desiredStateOf(
	target: Target,
	listening: Listening,
	{ events }: Pick<SubscriptionParameters, 'events'>,
	identity: ReceivingIdentity | undefined,
): DesiredState {
	const name = shorten(target.name);
	return {
		url: withSecret(deliveredTo(target, listening), target.secrets[listening]),
		enabled: true,
		events,
		identityId: identity && !identity.isDomain ? identity.id : null,
		description: listening === 'test' ? `[Test] n8n: ${name}` : `n8n: ${name}`,
	};
}

/** Cuts between what a person takes for characters: not within an emoji, a flag or a letter with its accents. */
function shorten(name: string): string {
	if (name.length <= LONGEST_NAME) return name;
	const head = name.slice(0, 2 * LONGEST_NAME);
	const characters = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(head);
	const cut = characters.containing(LONGEST_NAME)?.index ?? 0;
	return head.slice(0, cut > 0 ? cut : LONGEST_NAME).replace(/[\uD800-\uDBFF]$/, '');
}
