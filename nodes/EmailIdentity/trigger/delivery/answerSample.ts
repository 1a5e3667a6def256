import { isObject } from '../../api/json';
import { failedFilters } from '../filters';
import { SAMPLE_CHECK, sampleEvents, type SampleCall } from '../sampleEmail';
import { withoutItems } from './filtered';
import { buildItems } from './items';
import { refuse, withHint, type DeliveryAnswer } from './outcomes';
import { readLetter } from './readDelivery';
import type { Authenticated, DeliveryHost, Letter } from './stages';
import { unwanted } from './unwanted';

/**
 * Returns the first sample email that passes Ignore and the filters, or else the first one with a hint. It is built like any other email,
 * but takes no other step. The body is what n8n sent to itself, see `SampleListening`.
 */
export async function answerSample(
	authenticated: Authenticated,
	host: DeliveryHost,
): Promise<DeliveryAnswer> {
	const { body, parameters } = authenticated;
	if (!isObject(body) || body.sample !== ('send' satisfies SampleCall)) return { outcome: 'ready' };
	let shown: { letter: Letter; failed: string[] } | undefined;
	for (const event of sampleEvents()) {
		const letter = readLetter({ ...authenticated, body: event }, host);
		if ('outcome' in letter) continue;
		const failed = (await failedFilters(letter.email, parameters)).map(({ filter }) => filter);
		const results = [await withoutItems(letter, host), await unwanted(letter, host)];
		const passes = failed.length === 0 && results.every((result) => !('outcome' in result));
		if (passes || shown === undefined) shown = { letter, failed };
		if (passes) break;
	}
	if (shown === undefined) return refuse('noDelivery');
	const { letter, failed } = shown;
	const sender = parameters.senderCheck === 'off' ? undefined : SAMPLE_CHECK;
	const unfiltered = { ...parameters, filters: {} };
	const items = await buildItems({ ...letter, sender, parameters: unfiltered }, host);
	if ('outcome' in items) return items;
	const hint = `With these filters the published workflow would ignore this email: ${failed.join(', ')}`;
	const shownItems = failed.length === 0 ? items : withHint(items, hint);
	return { outcome: 'started', items: shownItems, accept: () => undefined };
}
