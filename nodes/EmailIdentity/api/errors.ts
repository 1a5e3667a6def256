import { NodeApiError, type INode } from 'n8n-workflow';
import type { ApiRequest, Subject, TransportFailure } from './exchange';
import {
	ALWAYS_THERE,
	PERHAPS_CREATED,
	STATUS_ADVICE,
	STATUS_CLASS_ADVICE,
	SUBJECT_NAMES,
	TRANSPORT_ADVICE,
	UNREADABLE,
	WRONG_ADDRESS,
	type Advice,
} from './errorMessages';
import { readReport } from './errorReport';
import { isNothingDone } from './retry';

interface FailureFacts {
	status?: number;
	mayHaveActed: boolean;
}

/** Beside the error, not on it: n8n shows and stores every property of an error. */
const facts = new WeakMap<object, FailureFacts>();

/** These answers explain what the caller sent wrong; other bodies may hold anything. */
const EXPLAINED_BY_SERVICE: ReadonlySet<number> = new Set([400, 409, 422]);

/**
 * The HTTP status behind a failure of the service.
 *
 * @param error what was caught
 * @returns undefined when the failure was not an answer with an error status
 */
export function statusOf(error: unknown): number | undefined {
	return factsOf(error)?.status;
}

/**
 * Whether the service may have done what was asked although the call failed: its answer was lost.
 *
 * @param error what was caught
 */
export function mayHaveActed(error: unknown): boolean {
	return factsOf(error)?.mayHaveActed ?? false;
}

function factsOf(error: unknown): FailureFacts | undefined {
	return typeof error === 'object' && error !== null ? facts.get(error) : undefined;
}

/**
 * The error for an answer with a status that is no success.
 *
 * @param answer.text the body, of which only the service's own explanation of invalid values is used
 * @param answer.secrets never occur in the error, whatever the body says
 */
export function statusError(
	node: INode,
	request: ApiRequest,
	answer: { status: number; text: string; secrets: readonly string[]; attempts: number },
): NodeApiError {
	const { status } = answer;
	const advice = adviceFor(status, request.subject);
	const report =
		EXPLAINED_BY_SERVICE.has(status) && request.subject !== 'message'
			? readReport(answer.text, answer.secrets)
			: undefined;
	const details = [report, advice.description, `HTTP status ${status}${tries(answer.attempts)}.`];
	return build(node, request, advice, details, { status, mayHaveActed: !isNothingDone(status) });
}

/** The error for a request that got no answer. */
export function transportError(
	node: INode,
	request: ApiRequest,
	failure: TransportFailure,
	attempts: number,
): NodeApiError {
	const advice = TRANSPORT_ADVICE[failure.problem];
	const details = [
		advice.description,
		attempts > 1 ? `It was tried ${attempts} times.` : undefined,
	];
	return build(node, request, advice, details, { mayHaveActed: failure.mayHaveActed });
}

/**
 * The error for an answer that says success and cannot be read.
 *
 * @param problem a sentence that says what was expected, without content of the answer
 */
export function unreadableError(node: INode, request: ApiRequest, problem: string): NodeApiError {
	const details = [problem, UNREADABLE.description];
	return build(node, request, UNREADABLE, details, { mayHaveActed: true });
}

/** The error for a redirect that is not followed, naming its target's origin. */
export function redirectError(
	node: INode,
	request: ApiRequest,
	status: number,
	target: string,
): NodeApiError {
	const advice = adviceFor(status, request.subject);
	const details = [`It points to ${target}.`, advice.description];
	return build(node, request, advice, details, { status, mayHaveActed: false });
}

function adviceFor(status: number, subject: Subject): Advice {
	if (status === 404 && ALWAYS_THERE.has(subject)) return WRONG_ADDRESS;
	const byClass = STATUS_CLASS_ADVICE[Math.floor(status / 100)];
	return STATUS_ADVICE[status] ?? byClass ?? UNREADABLE;
}

function tries(attempts: number): string {
	return attempts > 1 ? `, after ${attempts} attempts` : '';
}

function build(
	node: INode,
	{ method, subject }: ApiRequest,
	advice: Advice,
	details: Array<string | undefined>,
	failure: FailureFacts,
): NodeApiError {
	const name = SUBJECT_NAMES[subject];
	const doubt = method === 'POST' && failure.mayHaveActed ? PERHAPS_CREATED : undefined;
	const error = new NodeApiError(
		node,
		{},
		{
			message: advice.message.replace('{subject}', name),
			description: [doubt, ...details]
				.filter((detail) => detail !== undefined)
				.join(' ')
				.replaceAll('{subject}', name),
			httpCode: failure.status === undefined ? undefined : String(failure.status),
		},
	);
	facts.set(error, failure);
	return error;
}
