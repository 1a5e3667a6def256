import { CANNOT_CREATE, mayHaveBeenDone, statusOf } from '../../api/failures/errors';
import { nodeParameterOf } from './subscriptionUrl';
import type { Target } from './target';

/** Whether the service answered a creation like one whose API cannot create webhooks. */
export function meansCannotCreate(error: unknown): boolean {
	return CANNOT_CREATE.includes(statusOf(error) ?? 0);
}

/** Whether the service answered that it did not create the subscription. Without an answer, it may have. */
export function isRefusedCreation(error: unknown): boolean {
	return meansCannotCreate(error) || !mayHaveBeenDone(error);
}

const REASON = 'the service cannot create webhooks through its API';

const WHILE_LISTENING =
	`Turn on 'Use Sample Email' to build the workflow: ${REASON}, so there are no test events. To receive emails, create ` +
	'the webhook there (Kurrier: Platform → Webhooks) with the Production URL, then publish.';

/** The service has no way to create webhooks but its own web page (Kurrier 3.5.0). */
export class CannotCreate extends Error {
	/** For n8n's log, with the URL. A Delivery URL may contain a secret of the gateway, so it is not repeated. */
	readonly inLog: string;

	constructor(target: Target, events: string[]) {
		super(target.listening === 'test' ? WHILE_LISTENING : whilePublishing(target, events));
		this.inLog =
			`The service cannot create webhooks through its API. Create the webhook in the service, with ${urlByHand(target)} and the event ` +
			`${events.join(', ')}, for any identity. A published workflow finds it at its next check; publish any other one again.`;
	}
}

/** Words for the editor, whose toasts are cut after 45 words, have no links, and break a URL over lines. */
function whilePublishing(target: Target, events: string[]): string {
	const url = urlByHand(target, 'the Production URL (in the node, under Webhook URLs)');
	return (
		`Create the webhook in the service (Kurrier: Platform → Webhooks), with ${url} and the event ${events.join(', ')}, ` +
		`for any identity. Then publish again: ${REASON}.`
	);
}

/** The URL of a webhook that somebody creates by hand, in words. @param own for one without a Delivery URL */
export function urlByHand(target: Target, own = `the URL ${target.address}`): string {
	if (target.deliveryUrl === '') return own;
	return `the Delivery URL, with ${nodeParameterOf(target)} added to its query,`;
}
