import { NodeApiError, type INode } from 'n8n-workflow';
import {
	PERHAPS_CREATED,
	REPORTED_FAILURE,
	SUBJECT_NAMES,
	UNREADABLE,
	adviceFor,
	incompleteAdvice,
	type FailedAnswer,
} from './errorAdvice';
import { readReport, readRequiredScopes } from './errorReport';
import { saysMissingRoute } from './missingRoute';
import { isNothingDone } from './retry';
import { TRANSPORT_ADVICE, type TransportFailure } from './transportFailures';
import type { Advice, ApiRequest, ApiResponse } from './types';

interface FailureFacts {
	status?: number;
	mayHaveActed: boolean;
	isRouteMissing?: boolean;
	lacksRight?: boolean;
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

/**
 * Whether the service has no such route at all: an older version, or another one of its API.
 *
 * @param error what was caught
 * @returns false in doubt, see `saysMissingRoute`
 */
export function isRouteMissing(error: unknown): boolean {
	return factsOf(error)?.isRouteMissing ?? false;
}

/** Whether the service refused the key for a right that it lacks, whatever was asked for. */
export function lacksRight(error: unknown): boolean {
	return factsOf(error)?.lacksRight ?? false;
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
	answer: FailedAnswer &
		Pick<ApiResponse, 'headers'> & { secrets: readonly string[]; attempts: number },
): NodeApiError {
	const { status, text, secrets, attempts } = answer;
	const advice = adviceFor(answer, request);
	const report =
		EXPLAINED_BY_SERVICE.has(status) && request.subject !== 'message'
			? readReport(text, secrets)
			: undefined;
	const details = [report, advice.description, `HTTP status ${status}${tries(attempts)}.`];
	return build(node, request, advice, details, {
		status,
		mayHaveActed: !isNothingDone(answer),
		isRouteMissing: saysMissingRoute(status, text),
		lacksRight: status === 403 && readRequiredScopes(text) !== undefined,
	});
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

/**
 * The error for a creation that the answer does not show, where it cannot be looked up either.
 *
 * @param cause why it cannot; says what to do
 */
export function unseenCreationError(node: INode, request: ApiRequest, cause: Error): NodeApiError {
	const { message, description } = cause as Error & Partial<Pick<NodeApiError, 'description'>>;
	const advice = { message, description: description ?? '' };
	const details = ['The answer does not show it, and it cannot be looked up.', advice.description];
	return build(node, request, advice, details, { mayHaveActed: true });
}

/**
 * The error for a list of which only a part can be had.
 *
 * @param problem a sentence that says why
 */
export function incompleteError(node: INode, request: ApiRequest, problem: string): NodeApiError {
	const advice = incompleteAdvice(request.subject);
	return build(node, request, advice, [problem, advice.description], { mayHaveActed: false });
}

/**
 * The error for an answer that reports a failure with a status of success.
 *
 * @param text the body
 * @param secrets never occur in the error, whatever the body says
 */
export function reportedFailureError(
	node: INode,
	request: ApiRequest,
	text: string,
	secrets: readonly string[],
): NodeApiError {
	const report = request.subject === 'message' ? undefined : readReport(text, secrets);
	const details = [report, REPORTED_FAILURE.description];
	return build(node, request, REPORTED_FAILURE, details, { mayHaveActed: true });
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
			message: advice.message,
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
