import { withSecret, type Listening } from '../secret';
import type { SubscriptionParameters } from '../parameters';
import type { Target } from './target';

/** What the node's subscription has to be while the node listens. */
export interface DesiredState {
	/** With the secret. */
	url: string;
	enabled: true;
	events: string[];
	/** Null for all identities. */
	identityId: string | null;
	description: string;
}

/** In UTF-16 units. The service keeps descriptions as free text; a longer one might come back cut, and so look edited. */
const LONGEST_NAME = 160;

/** What the node's parameters and n8n's address ask for. */
export function desiredStateOf(
	target: Target,
	listening: Listening,
	{ events, identityId }: SubscriptionParameters,
): DesiredState {
	const name = shorten(target.name);
	return {
		url: withSecret(target.address, target.secrets[listening]),
		enabled: true,
		events,
		identityId,
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
