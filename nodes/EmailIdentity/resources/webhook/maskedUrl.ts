import { NodeOperationError } from 'n8n-workflow';

import { toWebhook } from '../../api/resources';
import { isMaskedUrl, maskSecrets, maskUrlSecret } from '../../api/redaction';
import type { Entry } from '../../api/types';
import { canonicalUrl } from '../../lib/hosts';
import type { Session } from '../operation';
import { isTool, outputOf, type ToOutput } from '../simplify';
import { simplifyWebhook, toMaskedWebhook } from './simplified';

/**
 * Reads what the output for a subscription is to be like: masked, or the service's own with Simplify off; the model of an
 * agent sees no secret. Asked for before anything is written.
 *
 * @throws NodeOperationError when an expression does not tell
 */
export function webhookOutput({ context }: Session, itemIndex: number): ToOutput {
	const toOutput = outputOf(context, itemIndex, (entry) => simplifyWebhook(toMaskedWebhook(entry)));
	return isTool(context) ? (entry) => withoutSecrets(toOutput(entry)) : toOutput;
}

/** A subscription as the service sent it, with what may be secret masked wherever it stands. */
export function withoutSecrets(entry: Entry): Entry {
	const mask = (name: string, value: unknown): unknown => {
		if (typeof value !== 'string') return value;
		return name === 'url' ? maskUrlSecret(value) : maskSecrets(value);
	};
	return JSON.parse(JSON.stringify(entry, mask)) as Entry;
}

/**
 * Finds the whole URL that a masked one stands for, so that handing back what an output showed changes nothing.
 *
 * @param given as entered; one that is not masked comes back as it is
 * @param candidates the subscriptions that it may stand for; read only for a masked URL
 * @throws NodeOperationError when it stands for none of them, or for several with different secrets
 */
export async function unmaskUrl(
	{ context }: Session,
	given: string,
	itemIndex: number,
	candidates: () => Promise<Entry[]>,
): Promise<string> {
	if (!isMaskedUrl(given)) return given;
	const wanted = maskedSpelling(given);
	const urls = (await candidates())
		.map((entry) => toWebhook(entry).url)
		.filter((url) => url && maskedSpelling(url) === wanted);
	const [url, ...others] = new Set(urls);
	if (url !== undefined && others.length === 0) return url;
	const standsFor = others.length > 0 ? 'several webhooks' : 'no webhook here';
	throw new NodeOperationError(context.getNode(), `The URL is masked and stands for ${standsFor}`, {
		itemIndex,
		description:
			'The stars stand for a secret that is left out of the output. Enter the whole URL, or read it with Simplify switched off.',
	});
}

/** Masked URLs of one address in one spelling. */
function maskedSpelling(url: string): string {
	return canonicalUrl(maskUrlSecret(url));
}
