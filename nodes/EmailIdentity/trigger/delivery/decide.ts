import { answerSample } from './answerSample';
import { buildItems } from './items';
import { loop } from './loopBrake';
import { refuse, reportOf, type DeliveryAnswer, type Ignored, type Refused } from './outcomes';
import { authenticate, readLetter } from './readDelivery';
import { claimed, duplicate } from './repeats';
import { unproved } from './senderProof';
import type { Arrived, DeliveryHost, Letter, Step } from './stages';
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
