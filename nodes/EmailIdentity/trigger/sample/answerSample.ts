import { isObject } from '../../api/json';
import { buildItems } from '../delivery/items';
import type { DeliveryAnswer } from '../delivery/outcomes';
import { toLetter } from '../delivery/readDelivery';
import type { Authenticated, DeliveryHost } from '../delivery/stages';
import { SAMPLE_CHECK, sampleEvent } from './sampleEvent';
import type { SampleCall } from './sampleListening';

/** The sample email is built like any other, but passes no step. The body is what n8n sent to itself, see `SampleListening`. */
export async function answerSample(
	{ body, ...delivery }: Authenticated,
	host: DeliveryHost,
): Promise<DeliveryAnswer> {
	if (!isObject(body) || body.sample !== ('send' satisfies SampleCall)) return { outcome: 'ready' };
	const parameters = { ...delivery.parameters, filters: {} };
	const letter = toLetter(sampleEvent(), { ...delivery, parameters }, host);
	if ('outcome' in letter) return letter;
	const sender = parameters.senderCheck === 'off' ? undefined : SAMPLE_CHECK;
	const items = await buildItems({ ...letter, sender }, host);
	return 'outcome' in items ? items : { outcome: 'started', items, accept: () => undefined };
}
