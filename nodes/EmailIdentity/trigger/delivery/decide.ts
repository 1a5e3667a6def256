import { answerSample } from './sample/answerSample';
import type { DeliveryHost } from './deliveryHost';
import { reportOf } from './editorReport';
import { buildItems } from './items';
import { loop } from './steps/loopBrake';
import type { DeliveryAnswer, Ignored, Refused } from './outcomes';
import { parseDelivery } from './readDelivery';
import { claimed, duplicate } from './steps/duplicates';
import { ofOtherIdentity } from './steps/restriction';
import { senderChecked } from './steps/senderProof';
import type { Authenticated, ParsedDelivery, Step } from './stages';
import { filtered, unwanted, unwantedByPlace, withoutItems } from './steps/unwanted';
import { ofOtherAccount, verified } from './steps/whoseMail';

/** Taken twice: before the sender is checked, because that may ask the DNS, and again on the email as it was signed. */
const FILTER_STEPS: readonly Step[] = [filtered, withoutItems];

/** In the order of the picture in `docs/architecture.md`. Most are named after what they keep out. */
const STEPS: readonly Step[] = [
	unwantedByPlace,
	duplicate,
	// Adds the service's own copy.
	verified,
	ofOtherAccount,
	unwanted,
	ofOtherIdentity,
	...FILTER_STEPS,
	senderChecked,
	...FILTER_STEPS,
	// Adds the claim to the message, or waits for another delivery of it.
	claimed,
	loop,
];

/** Starts the workflow once, or answers why not. */
export async function decide(
	authenticated: Authenticated,
	host: DeliveryHost,
): Promise<DeliveryAnswer> {
	const { parameters, scope } = authenticated;
	if (parameters.useSampleEmail && scope.listening === 'test')
		return await answerSample(authenticated, host);
	const delivery = parseDelivery(authenticated, host);
	if ('outcome' in delivery) return delivery;
	return await startOnce(delivery, host);
}

/** Takes the steps and builds the items. Ends the claim to the message if the workflow does not start. */
async function startOnce(delivery: ParsedDelivery, host: DeliveryHost): Promise<DeliveryAnswer> {
	let isStarted = false;
	try {
		for (const step of STEPS) {
			const result = await step(delivery, host);
			if ('outcome' in result) return await reported(result, delivery);
			delivery = result;
		}
		const items = await buildItems(delivery, host);
		if ('outcome' in items) return await reported(items, delivery);
		// The claim stays until n8n accepts the answer, or until the connection closes, which `claimed` watches.
		isStarted = true;
		const { deduplication } = delivery;
		const accept = () => {
			deduplication?.claim?.accept();
			host.remember(deduplication?.messages.seen);
		};
		return { outcome: 'started', items, accept };
	} finally {
		if (!isStarted) delivery.deduplication?.claim?.release();
	}
}

/** For a test event, the editor shows why the email does not start the workflow. */
async function reported(
	answer: Ignored | Refused,
	{ scope, email }: ParsedDelivery,
): Promise<Ignored | Refused> {
	if (scope.listening !== 'test' || answer.outcome !== 'ignored') return answer;
	const { subject } = await email.open();
	return { ...answer, report: reportOf(answer, subject) };
}
