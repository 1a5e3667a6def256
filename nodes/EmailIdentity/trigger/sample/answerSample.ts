import { isObject } from '../../api/json';
import { failedFilters } from '../delivery/filters';
import { buildItems } from '../delivery/items';
import { withHint, type DeliveryAnswer } from '../delivery/outcomes';
import { toLetter } from '../delivery/readDelivery';
import type { Authenticated, DeliveryHost } from '../delivery/stages';
import { SAMPLE_CHECK, SAMPLE_RECIPIENT, sampleEvent } from './sampleEvent';
import type { SampleCall } from './sampleListening';

/** The sample email is built like any other, but takes no step. The body is what n8n sent to itself, see `SampleListening`. */
export async function answerSample(
	{ body, ...delivery }: Authenticated,
	host: DeliveryHost,
): Promise<DeliveryAnswer> {
	if (!isObject(body) || body.sample !== ('send' satisfies SampleCall)) return { outcome: 'ready' };
	const parameters = { ...delivery.parameters, filters: {} };
	const letter = toLetter(sampleEvent(), { ...delivery, parameters }, host);
	if ('outcome' in letter) return letter;
	const sender = parameters.senderCheck === 'off' ? undefined : SAMPLE_CHECK;
	const built = await buildItems({ ...letter, sender }, host);
	if ('outcome' in built) return built;
	const failed = await failedFilters(
		delivery.parameters,
		await letter.email.open(),
		SAMPLE_RECIPIENT,
	);
	const names = failed.map(({ filter }) => filter).join(', ');
	const hint = `With these filters the published workflow would ignore this email: ${names}`;
	const items = failed.length === 0 ? built : withHint(built, hint);
	return { outcome: 'started', items, accept: () => undefined };
}
