import { isObject } from '../../api/json';
import { failedFilters } from '../settings/filters';
import { SAMPLE_CHECK, sampleEvents, type SampleCall } from '../sampleEmail';
import { buildItems } from './items';
import { loop } from './loopBrake';
import {
	refuse,
	reportOf,
	withHint,
	type DeliveryAnswer,
	type Ignored,
	type Refused,
} from './outcomes';
import { authenticate, readLetter } from './readDelivery';
import { claimed, duplicate } from './repeats';
import { unproved } from './senderProof';
import type { Arrived, Authenticated, DeliveryHost, Letter, Step } from './stages';
import { filtered, unwanted, unwantedByPlace, withoutItems } from './unwanted';
import { foreign, ofOtherIdentity, verified } from './whoseMail';

/** Before the sender is checked, which may ask the DNS, and then on the email as it was signed. */
const FILTER_STEPS: readonly Step[] = [filtered, withoutItems];

/** In the order of the picture in `docs/architecture.md`. Each is named after what it keeps out, or adds to the letter. */
const STEPS: readonly Step[] = [
	unwantedByPlace,
	duplicate,
	verified,
	foreign,
	unwanted,
	ofOtherIdentity,
	...FILTER_STEPS,
	unproved,
	...FILTER_STEPS,
	claimed,
	loop,
];

/** Starts the workflow once, or answers why not. Never throws, and nothing of the content reaches the log. */
export async function decide(arrived: Arrived, host: DeliveryHost): Promise<DeliveryAnswer> {
	const answer = await answerTo(arrived, host).catch(toRefusal);
	logAnswer(answer, host);
	return answer;
}

async function answerTo(arrived: Arrived, host: DeliveryHost): Promise<DeliveryAnswer> {
	const authenticated = await authenticate(arrived, host);
	if ('outcome' in authenticated) return authenticated;
	const { parameters, scope } = authenticated;
	if (parameters.useSampleEmail && scope.listening === 'test')
		return await answerSample(authenticated, host);
	const letter = readLetter(authenticated, host);
	return 'outcome' in letter ? letter : await startOnce(letter, host);
}

/** Takes the steps and builds the items. Ends the claim to the message if the workflow does not start. */
async function startOnce(letter: Letter, host: DeliveryHost): Promise<DeliveryAnswer> {
	let isStarted = false;
	try {
		for (const step of STEPS) {
			const result = await step(letter, host);
			if ('outcome' in result) return await reported(result, letter);
			letter = result;
		}
		const items = await buildItems(letter, host);
		if ('outcome' in items) return await reported(items, letter);
		isStarted = true;
		const { once } = letter;
		const accept = () => {
			once?.claim?.accept();
			host.remember(once?.messages);
		};
		return { outcome: 'started', items, accept };
	} finally {
		if (!isStarted) letter.once?.claim?.release();
	}
}

/**
 * Returns the first sample email that passes Ignore and the filters, or else the first one with a hint. It is built like any
 * other email, but takes no other step. The body is what n8n sent to itself, see `SampleListening`.
 */
async function answerSample(
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

/** For a test event, the editor shows why the email does not start the workflow. */
async function reported(answer: Ignored | Refused, { scope, email }: Letter) {
	if (scope.listening !== 'test' || answer.outcome !== 'ignored') return answer;
	return { ...answer, report: reportOf(answer, (await email.open()).subject) };
}

/** An error's message may quote what caused it, so only its kind is logged. */
function toRefusal(error: unknown): DeliveryAnswer {
	const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
	return refuse('failed', [name, code].filter((text) => text !== undefined).join(' '));
}

function logAnswer(answer: DeliveryAnswer, { log, memory }: DeliveryHost): void {
	if (answer.outcome === 'refused') {
		const { status, message, because, level } = answer;
		const why = [`${status}, ${message}`, because].filter((text) => text !== undefined);
		log(level, 'refused', why.join(': '));
	} else if (answer.outcome === 'ignored') {
		const { reason, filter, warning, level } = answer;
		if (warning !== undefined)
			log(level ?? 'warn', 'ignored', `${reason}. ${warning}`, memory.hourlyThrottle);
		else log(level ?? 'info', 'ignored', filter === undefined ? reason : `${reason} (${filter})`);
	}
}
