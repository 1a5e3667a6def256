import { refuse, type DeliveryAnswer } from './outcomes';
import type { DeliveryHost } from './stages';

/** Gets an answer and logs it. Never throws, and nothing of a delivery's content reaches the log. */
export async function answerSafely(
	getAnswer: () => Promise<DeliveryAnswer>,
	host: DeliveryHost,
): Promise<DeliveryAnswer> {
	const answer = await getAnswer().catch(toRefusal);
	logAnswer(answer, host);
	return answer;
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
