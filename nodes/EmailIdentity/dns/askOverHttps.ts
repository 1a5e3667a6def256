import { requestWithinBounds, type BoundedResponse } from '../api/boundedRequest';
import { whenAborted } from '../api/cancellation';
import { RequestLimiter } from '../api/limiter';
import { HOW_TO_ALLOW, TIMED_OUT, type TransportProblem } from '../api/transportFailures';
import type { ApiContext } from '../api/types';
import { BoundedMap } from '../lib/boundedMap';
import { toUrl } from '../lib/hosts';
import { encodeQuestion, readMessage, type Question, type Reading } from './message';
import type { DnsRecordType } from './resolver';
import type { Standing } from './resolverOrder';

/** What asking one resolver came to. */
export type Reply<Type extends DnsRecordType = DnsRecordType> =
	| Exclude<Reading<Type>, { kind: 'unreadable' }>
	/** It did not answer as RFC 8484 has it; why not, and what that tells of it. */
	| { kind: 'unreachable'; says: string; standing: Exclude<Standing, 'answers'> };

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
	blocked: `is an address that n8n does not allow requests to: ${HOW_TO_ALLOW}`,
};

const CONTENT_TYPE = 'application/dns-message';

/** What a message can hold at most, in bytes (RFC 8484, section 6). */
const LARGEST_MESSAGE = 65_535;

/** How many questions one resolver is asked at a time by all workflows of this process. */
const MOST_QUESTIONS = 100;

/** How many resolvers' limits are remembered. */
const MOST_RESOLVERS = 100;

const OK = 200;

/** Whoever speaks HTTP for a resolver waited in vain for it, as for a domain whose servers are slow (RFC 9110, 15.6). */
const WAITED_IN_VAIN: ReadonlySet<number> = new Set([502, 504]);

const NO_MESSAGE = 'did not answer the question with a DNS message';

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
	const url = toUrl(address);
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
		if ('response' in outcome) return readResponse(outcome.response, question);
		const { problem } = outcome.failure;
		return unreachable(WHY_UNREACHABLE[problem], problem === 'timeout' ? 'doubted' : 'down');
	} finally {
		over.stop();
	}
}

function readResponse<Type extends DnsRecordType>(
	{ status, headers, body, isWhole }: BoundedResponse,
	question: Question<Type>,
): Reply<Type> {
	if (status !== OK) {
		const standing = WAITED_IN_VAIN.has(status) ? 'doubted' : 'down';
		return unreachable(`answered with HTTP status ${status}`, standing);
	}
	if (!isWhole) return unreachable(WHY_UNREACHABLE.tooLarge, 'down');
	const type = (headers['content-type'] ?? '').split(';', 1).join().trim().toLowerCase();
	if (type !== CONTENT_TYPE) return unreachable(NO_MESSAGE, 'down');
	const reading = readMessage(body, question);
	// It may be the domain's records that cannot be read, as hundreds of them.
	if (reading.kind === 'unreadable') return unreachable(NO_MESSAGE, 'doubted');
	return reading.kind === 'failure'
		? reading
		: { ...reading, seconds: aged(reading.seconds, headers) };
}

const unreachable = (
	says: string,
	standing: Exclude<Standing, 'answers'>,
): Extract<Reply, { kind: 'unreachable' }> => ({ kind: 'unreachable', says, standing });

/** An answer out of a cache on the way has been held for a while already (RFC 8484, section 5.1). */
function aged(seconds: number, { age }: BoundedResponse['headers']): number {
	return Math.max(0, seconds - (Number(age) || 0));
}
