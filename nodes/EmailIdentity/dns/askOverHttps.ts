import { requestWithinBounds, type BoundedResponse } from '../api/boundedRequest';
import { whenAborted } from '../api/cancellation';
import { RequestLimiter } from '../api/limiter';
import { TIMED_OUT, type TransportProblem } from '../api/transportFailures';
import type { ApiContext } from '../api/types';
import { BoundedMap } from '../shared/boundedMap';
import { encodeQuestion, readMessage, type Question, type Reading } from './message';
import type { DnsRecordType } from './resolver';

/** What asking one resolver came to. */
export type Reply<Type extends DnsRecordType = DnsRecordType> =
	| Exclude<Reading<Type>, { kind: 'unreadable' }>
	/** It did not answer as RFC 8484 has it; why not. */
	| { kind: 'unreachable'; says: string };

/** What is said of a resolver, after its name, when there is no answer of it. */
const WHY_UNREACHABLE: Readonly<Record<TransportProblem, string>> = {
	unreachable: 'cannot be reached',
	unknownHost: 'is not a known host',
	certificate: 'has a certificate that is not trusted',
	speaksPlainHttp: 'speaks http at this address, not https',
	speaksNoHttp: 'does not speak http at this address',
	brokenConnection: 'broke the connection',
	timeout: 'took too long to answer',
	tooLarge: 'answered with too much',
	cancelled: 'was not waited for',
	blocked: 'is an address that n8n does not allow requests to',
};

const CONTENT_TYPE = 'application/dns-message';

/** What a message can hold at most, in bytes (RFC 8484, section 6). */
const LARGEST_MESSAGE = 65_535;

/** How many questions one resolver is asked at a time by all workflows of this process. */
const MOST_QUESTIONS = 100;

/** How many resolvers' limits are remembered. */
const MOST_RESOLVERS = 100;

const OK = 200;

const limiters = new BoundedMap<string, RequestLimiter>(MOST_RESOLVERS);

function limiterOf(address: string): RequestLimiter {
	const known = limiters.get(address) ?? new RequestLimiter(MOST_QUESTIONS, undefined);
	limiters.set(address, known);
	return known;
}

/**
 * Asks one resolver one question (RFC 8484, section 4.1, GET), once. Redirects are not followed, and no credential is
 * sent.
 *
 * @param timeout milliseconds until the whole answer has to be there, with the time until it is the question's turn
 * @param signal ends the question early
 */
export async function askOverHttps<Type extends DnsRecordType>(
	context: ApiContext,
	address: string,
	question: Question<Type>,
	{ timeout, signal }: { timeout: number; signal: AbortSignal },
): Promise<Reply<Type>> {
	const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
	const over = whenAborted(deadline);
	const url = new URL(address);
	url.searchParams.append('dns', encodeQuestion(question));
	const exchange = async () =>
		await requestWithinBounds(
			async (options) =>
				await context.helpers.httpRequest({
					...options,
					method: 'GET',
					url: url.href,
					headers: { accept: CONTENT_TYPE },
				}),
			{ timeout, signal: deadline, largestAnswer: () => LARGEST_MESSAGE },
		);
	try {
		const outcome = await Promise.race([
			limiterOf(address).send(exchange),
			over.promise.then(() => ({ failure: TIMED_OUT })),
		]);
		return 'failure' in outcome
			? { kind: 'unreachable', says: WHY_UNREACHABLE[outcome.failure.problem] }
			: readResponse(outcome.response, question);
	} finally {
		over.stop();
	}
}

function readResponse<Type extends DnsRecordType>(
	{ status, headers, body, isWhole }: BoundedResponse,
	question: Question<Type>,
): Reply<Type> {
	if (status !== OK) return { kind: 'unreachable', says: `answered with HTTP status ${status}` };
	if (!isWhole) return { kind: 'unreachable', says: WHY_UNREACHABLE.tooLarge };
	const type = (headers['content-type'] ?? '').split(';', 1).join().trim().toLowerCase();
	const reading = type === CONTENT_TYPE ? readMessage(body, question) : undefined;
	if (reading === undefined || reading.kind === 'unreadable') {
		return { kind: 'unreachable', says: 'did not answer the question with a DNS message' };
	}
	return reading.kind === 'failure'
		? reading
		: { ...reading, seconds: aged(reading.seconds, headers) };
}

/** An answer out of a cache on the way has been held for a while already (RFC 8484, section 5.1). */
function aged(seconds: number, { age }: BoundedResponse['headers']): number {
	return Math.max(0, seconds - (Number(age) || 0));
}
