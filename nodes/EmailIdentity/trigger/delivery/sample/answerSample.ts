import { isObject } from '../../../api/data/json';
import type { SampleCall } from '../../sampleCalls';
import { failedFilters } from '../../settings/filters';
import type { DeliveryParameters } from '../../settings/settings';
import { buildItems } from '../items';
import type { DeliveryHost } from '../deliveryHost';
import { withHint } from '../editorReport';
import { refuse, type DeliveryAnswer } from '../outcomes';
import { parseDelivery } from '../readDelivery';
import { SAMPLE_CHECK, sampleEvents } from './sampleEmails';
import type { Authenticated, ParsedDelivery } from '../stages';
import { unwanted, withoutItems } from '../steps/unwanted';

/** A sample email with the decision of the published workflow. */
interface Candidate {
	delivery: ParsedDelivery;
	/** The labels of the filters that it does not pass. */
	failed: string[];
	passes: boolean;
}

/**
 * Answers n8n's own requests for Use Sample Email, see `SampleListening`: with the first sample email that passes Ignore and the
 * filters, or else with the first one and a hint. It is built like any other email, but takes no other step.
 */
export async function answerSample(
	authenticated: Authenticated,
	host: DeliveryHost,
): Promise<DeliveryAnswer> {
	const { body, parameters } = authenticated;
	const isAnnounced = !isObject(body) || body.sample !== ('send' satisfies SampleCall);
	if (isAnnounced) return { outcome: 'ready' };
	const sample = await chooseSample(authenticated, host);
	if (sample === undefined) return refuse('noDelivery');

	const { delivery, failed } = sample;
	const sender = parameters.senderCheck === 'off' ? undefined : SAMPLE_CHECK;
	const unfiltered = { ...parameters, filters: {} };
	const items = await buildItems({ ...delivery, sender, parameters: unfiltered }, host);
	if ('outcome' in items) return items;

	const accept = () => undefined;
	if (failed.length === 0) return { outcome: 'started', items, accept };
	const hint = `With these filters the published workflow would ignore this email: ${failed.join(', ')}`;
	return { outcome: 'started', items: withHint(items, hint), accept };
}

/** The first sample that passes, or else the first one; undefined if the node does not start for such events. */
async function chooseSample(
	authenticated: Authenticated,
	host: DeliveryHost,
): Promise<Candidate | undefined> {
	let first: Candidate | undefined;
	for (const event of sampleEvents(needsFile(authenticated.parameters))) {
		const candidate = await toCandidate(event, authenticated, host);
		if (candidate?.passes) return candidate;
		first ??= candidate;
	}
	return first;
}

function needsFile({ filters, output }: DeliveryParameters): boolean {
	if (output === 'attachment' || filters.attachments !== undefined) return true;
	return filters.hasAttachments === true;
}

/** Undefined if the node does not start for such events. */
async function toCandidate(
	body: unknown,
	authenticated: Authenticated,
	host: DeliveryHost,
): Promise<Candidate | undefined> {
	const delivery = parseDelivery({ ...authenticated, body }, host);
	if ('outcome' in delivery) return undefined;
	const filters = await failedFilters(delivery.email, delivery.parameters);
	const failed = filters.map(({ filter }) => filter);
	const withItems = await withoutItems(delivery, host);
	const wanted = await unwanted(delivery, host);
	const isStopped = 'outcome' in withItems || 'outcome' in wanted;
	return { delivery, failed, passes: !isStopped && failed.length === 0 };
}
