import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isObject } from '../../api/json';
import { SAMPLE_AUTHENTICATION, sampleEvent } from '../sample/sampleEvent';
import { ANNOUNCED, type SampleCall } from '../sample/sampleListening';
import type { DeliveryParameters } from '../parameters';
import { buildItems } from './buildItems';
import { deliveredEmail } from './deliveredEmail';
import { readEventData } from './readEvent';
import { startWith } from './responses';
import { isSenderChecked } from './senderProof';

const SEND: SampleCall = 'send';

/**
 * Starts the workflow by hand with the sample email, built as any other: what is chosen for files and text holds for it,
 * Receive For, Ignore and Filters do not, and it is no message that a later one could repeat.
 *
 * @param body what n8n sent to itself, see `SampleListening`
 */
export async function takeSample(
	context: IWebhookFunctions,
	body: unknown,
	parameters: DeliveryParameters,
): Promise<IWebhookResponseData> {
	if (!isObject(body) || body.sample !== SEND) return { webhookResponse: ANNOUNCED };
	const delivered = sampleEvent();
	const { received, open } = deliveredEmail(readEventData('message.received', delivered));
	const opened = parameters.simplify ? await open() : undefined;
	const wishes = { ...parameters, filters: {} };
	const authentication = isSenderChecked(parameters) ? SAMPLE_AUTHENTICATION : undefined;
	const items = await buildItems(context, delivered, { received, opened, authentication }, wishes);
	return startWith(items, () => undefined);
}
