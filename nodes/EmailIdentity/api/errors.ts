import { NodeApiError, type INode } from 'n8n-workflow';
import { withFullStop } from '../lib/text';
import { isObject, parseJson } from './json';
import { maskSecrets } from './redaction';
import type { RedirectTarget } from './request';
import { isUuid } from './resources';
import { isNothingDone } from './retry';
import { TRANSPORT_ADVICE, type TransportFailure } from './transport';
import type { Advice, ApiRequest, ApiResponse, Entry, Subject } from './types';

/** What programs may ask about a failure. */
interface Facts {
	/** The HTTP status, where the service answered with one that is no success. */
	status?: number;
	/** Whether the service may have done what was asked although the call failed. */
	mayHaveActed: boolean;
	isRouteMissing?: boolean;
	lacksRight?: boolean;
}

export interface Failure {
	advice: Advice;
	/** In front of the description. */
	details?: Array<string | undefined>;
	facts: Facts;
}

/** The failure of a request to the service. Its facts are private: n8n shows and stores every property of an error. */
export class ServiceError extends NodeApiError {
	readonly #facts: Facts;

	constructor(
		node: INode,
		{ method, subject }: ApiRequest,
		{ advice, details = [], facts }: Failure,
	) {
		const doubt = method === 'POST' && facts.mayHaveActed ? PERHAPS_CREATED : undefined;
		const fill = (text: string) => text.replaceAll('{subject}', SUBJECT_NAMES[subject]);
		const description = [doubt, ...details, advice.description].filter((detail) => !!detail);
		super(
			node,
			{},
			{
				message: fill(advice.message),
				description: fill(description.join(' ')),
				httpCode: facts.status === undefined ? undefined : String(facts.status),
			},
		);
		// The editor knows n8n's own class by its name.
		this.name = NodeApiError.name;
		this.#facts = facts;
	}

	static factsOf(error: unknown): Facts | undefined {
		return isObject(error) && #facts in error ? error.#facts : undefined;
	}
}

/** The HTTP status behind a failure; undefined when the service did not answer with an error status. */
export function statusOf(error: unknown): number | undefined {
	return ServiceError.factsOf(error)?.status;
}

/** Whether the service may have done what was asked although the call failed. */
export function mayHaveActed(error: unknown): boolean {
	return ServiceError.factsOf(error)?.mayHaveActed ?? false;
}

/** Whether this version of the service has no such route at all; false in doubt. */
export function isRouteMissing(error: unknown): boolean {
	return ServiceError.factsOf(error)?.isRouteMissing ?? false;
}

/** Whether the service refused the key for a right that it lacks, whatever was asked for. */
export function lacksRight(error: unknown): boolean {
	return ServiceError.factsOf(error)?.lacksRight ?? false;
}

/** In front of the description when the answer to a creation was lost. */
const PERHAPS_CREATED =
	'The {subject} may have been created anyway: check before you create it again.';

const SUBJECT_NAMES: Readonly<Record<Subject, string>> = {
	user: 'user',
	identity: 'identity',
	identities: 'list of identities',
	message: 'message',
	webhook: 'webhook',
	webhooks: 'list of webhooks',
};

const CHECK_BASE_URL =
	'Check the base URL in the Email Identity API credential. It ends in the path of the API, such as /api/kurrier.';

const WRONG_ADDRESS: Advice = {
	message: 'The API was not found at this address',
	description: CHECK_BASE_URL,
};

export const NOT_THIS_API: Advice = {
	message: 'Something answered at this address, but it is not the Email Identity API',
	description: CHECK_BASE_URL,
};

/** An answer arrived that cannot be read. */
export const UNREADABLE: Advice = {
	message: 'The service sent an answer that cannot be read',
	description: CHECK_BASE_URL,
};

/** A status of success came with a body that reports a failure. */
export const REPORTED_FAILURE: Advice = {
	message: 'The service reports that the request failed',
	description: 'Correct the values, or contact the operator of the service.',
};

/** Further pages of a list cannot be had. */
export const INCOMPLETE: Advice = {
	message: 'The service sent only a part of the {subject}',
	description: 'A part is not used as if it were the whole. Contact the operator of the service.',
};

const INVALID: Advice = {
	message: 'The service refused the {subject} as invalid',
	description: 'Correct the values and run it again.',
};

/** Contract, section 7, and what services do in general. Other statuses: by their class. */
const STATUS_ADVICE: ReadonlyMap<number, Advice> = new Map([
	[400, INVALID],
	[
		401,
		{
			message: 'The service refused the API key',
			description:
				'Check the API key in the Email Identity API credential. It may be mistyped, expired, revoked, or for another deployment.',
		},
	],
	[
		403,
		{
			message: 'The API key has no access to this {subject}',
			description:
				'It may not exist, or belong to another account. Check the ID, or use the API key of the account that owns it.',
		},
	],
	[
		404,
		{
			message: 'The {subject} was not found',
			description:
				'It may have been deleted, or belong to another account. Check the ID, or choose it from the list.',
		},
	],
	[
		409,
		{
			message: 'The service reports a conflict with existing data',
			description: 'Check what exists for this {subject}, then run it again.',
		},
	],
	[422, INVALID],
	[
		429,
		{
			message: 'The service received too many requests',
			description:
				'It kept refusing after several attempts. Wait a while. If the node has the option Max Concurrent Requests, lower it.',
		},
	],
]);

const UNAVAILABLE: Advice = {
	message: 'The service is not available at the moment',
	description: 'It may be restarting or overloaded. Try again in a few minutes.',
};

const CLASS_ADVICE: ReadonlyMap<number, Advice> = new Map([
	[3, { message: 'The service answered with a redirect', description: CHECK_BASE_URL }],
	[4, { message: 'The service refused the request', description: CHECK_BASE_URL }],
	[
		5,
		{
			message: 'The service reported an internal error',
			description: 'Try again later. If it keeps failing, contact the operator of the service.',
		},
	],
]);

const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

/** These always exist in the API, and belong to the key: what is missing or forbidden then is something else. */
const NOT_ALLOWED: ReadonlyMap<Subject, string> = new Map([
	['user', 'The API key is not allowed to read the user'],
	['identities', 'The API key is not allowed to list identities'],
	['webhooks', 'The API key is not allowed to list webhooks'],
]);

const NO_SINGLE_MESSAGES: Advice = {
	message: 'This service cannot give single messages',
	description:
		'Its version of the API has no address for them. Use the output of the Email Identity Trigger, with Verify With the API switched off. If other operations fail as well, check the base URL in the Email Identity API credential.',
};

const MESSAGE_NOT_FOUND: Advice = {
	message: 'The message was not found',
	description:
		'Use the ID that the Email Identity Trigger gave (delivery.id), not the Message-ID. The message may also have been deleted, or belong to another account.',
};

/** Statuses of a service that has no working way to create webhooks through its API (Kurrier 3.5.0: 500 for everybody). */
export const CANNOT_CREATE: ReadonlySet<number> = new Set([405, 500, 501]);

const WEBHOOK_NOT_CREATED: Advice = {
	message: 'The service could not create the webhook',
	description:
		"Try again later. If it keeps failing, this service cannot create webhooks through its API: create it in the service's own page, with the same URL and events. Create or Update, Update, Pause and Resume work with it then.",
};

/** Seen: 500 for every ID that is no UUID, like all of that service. */
const UNUSUAL_ID: Advice = {
	message: 'The service reported an internal error for this ID',
	description: 'IDs of most services are UUIDs. Check the ID, or choose it from the list.',
};

const NEW_KEY =
	'Create a new one in the service, and enter it in the Email Identity API credential.';

/** The service's own reasons for refusing a key; their words are not repeated. */
const KEY_REASONS: ReadonlyArray<{ words: RegExp; advice: Advice }> = [
	{
		words: /^(?!.*\b(?:invalid|missing|unknown)\b).*\bexpired\b/i,
		advice: { message: 'The API key has expired', description: NEW_KEY },
	},
	{
		words: /^(?!.*\b(?:invalid|missing|unknown)\b).*\brevoked\b/i,
		advice: { message: 'The API key has been revoked', description: NEW_KEY },
	},
];

/** What happened and what to do, for an answer with a status that is no success. */
export function adviceFor(
	{ status, text }: Pick<ApiResponse, 'status' | 'text'>,
	redirect: RedirectTarget | undefined,
	{ method, subject, path, body }: ApiRequest,
): Advice {
	if (redirect && status < 400) return redirectAdvice(redirect);
	const reports = reportsIn(text);
	const scopes = status === 403 ? requiredScopes(reports) : undefined;
	if (scopes || (status === 403 && NOT_ALLOWED.has(subject))) return rightAdvice(scopes, subject);
	if (status === 401) {
		const said = messagesIn(reports).join(' ');
		const reason = KEY_REASONS.find(({ words }) => words.test(said));
		if (reason) return reason.advice;
	}
	if (status === 404 && NOT_ALLOWED.has(subject)) return WRONG_ADDRESS;
	if (saysMissingRoute(status, reports)) {
		if (subject === 'message') return NO_SINGLE_MESSAGES;
		if (status === 404) return WRONG_ADDRESS;
	}
	if (status === 404 && subject === 'message') return MESSAGE_NOT_FOUND;
	if (status === 500 && hasUnusualId(path, body)) return UNUSUAL_ID;
	if (method === 'POST' && subject === 'webhook' && CANNOT_CREATE.has(status)) {
		return WEBHOOK_NOT_CREATED;
	}
	if (GATEWAY_STATUSES.has(status)) return UNAVAILABLE;
	return STATUS_ADVICE.get(status) ?? CLASS_ADVICE.get(Math.floor(status / 100)) ?? UNREADABLE;
}

/** Whether a request names an identity or a webhook by something that is no UUID. Message IDs may be anything. */
function hasUnusualId(path: string, body: Entry | undefined): boolean {
	const [, id] = /^\/(?:identities|webhooks)\/(.+)$/.exec(path) ?? [];
	const ids = [id, body?.identityId].filter((one) => typeof one === 'string');
	return ids.some((one) => !isUuid(one));
}

function redirectAdvice({ address, isElsewhere }: RedirectTarget): Advice {
	const message = isElsewhere
		? 'The service redirects the request to another address'
		: 'The service redirects the request';
	const where = isElsewhere
		? `The redirect goes to ${address}. The API key is not sent there.`
		: `The redirect goes to ${address}, which may be a page to sign in.`;
	return { message, description: `${where} ${CHECK_BASE_URL}` };
}

function rightAdvice(scopes: readonly string[] = [], subject: Subject): Advice {
	const lacking =
		scopes.length > 0
			? `It needs ${scopes.join(', ')}. Give it to the key in the service`
			: 'Check its rights in the service';
	return {
		message: NOT_ALLOWED.get(subject) ?? 'The API key lacks a right that this needs',
		description: `${lacking}, or use another API key.`,
	};
}

/** These answers explain what the caller sent wrong; other bodies may hold anything. */
const EXPLAINED_BY_SERVICE: ReadonlySet<number> = new Set([400, 409, 422]);

/**
 * The error for an answer with a status that is no success.
 *
 * @param secrets never occur in the error, whatever the body says
 */
export function statusError(
	node: INode,
	request: ApiRequest,
	response: ApiResponse,
	redirect: RedirectTarget | undefined,
	secrets: readonly string[],
): ServiceError {
	const { status, text } = response;
	const reports = reportsIn(text);
	const explanation = EXPLAINED_BY_SERVICE.has(status)
		? readReport(request, text, secrets)
		: undefined;
	return new ServiceError(node, request, {
		advice: adviceFor(response, redirect, request),
		details: [explanation, `HTTP status ${status}.`],
		facts: {
			status,
			mayHaveActed: !isNothingDone(response),
			isRouteMissing: saysMissingRoute(status, reports),
			lacksRight: status === 403 && requiredScopes(reports) !== undefined,
		},
	});
}

/** The error for a request that got no answer. */
export function transportError(
	node: INode,
	request: ApiRequest,
	{ problem, mayHaveActed: isPossible }: TransportFailure,
	attempts: number,
): ServiceError {
	const tries = attempts > 1 ? `It was tried ${attempts} times.` : undefined;
	return new ServiceError(node, request, {
		advice: TRANSPORT_ADVICE[problem],
		details: [tries],
		facts: { mayHaveActed: isPossible },
	});
}

/** A longer body is a page or a dump, not an explanation, and would take long to parse. */
export const MAX_BODY_READ = 200_000;
const MAX_REPORT = 600;
const MAX_ISSUES = 50;

/** So much is searched for secrets: what is behind could be shown only after two hundred masked ones. */
const MAX_SEARCHED = 100_000;

/** Where services put what they have to say: Kurrier 3.5.0 in `data.error`, others in the body. */
function reportsIn(text: string): Entry[] {
	const body = text.length <= MAX_BODY_READ ? parseJson(text)?.value : undefined;
	if (!isObject(body)) return [];
	const { data, error } = body;
	return [isObject(data) ? data.error : undefined, error, body].filter(isObject);
}

function messagesIn(reports: readonly Entry[]): string[] {
	return reports.flatMap(({ message, error }) => [message, error]).filter(isText);
}

/**
 * The service's own explanation of what is invalid: its issues, field by field, or its message. What is said about a
 * message may be mail, and is not repeated.
 *
 * @param secrets are masked wherever they occur, as are those in URLs
 */
export function readReport(
	{ subject }: Pick<ApiRequest, 'subject'>,
	text: string,
	secrets: readonly string[],
): string | undefined {
	if (subject === 'message') return undefined;
	const reports = reportsIn(text);
	const issues = reports.map(readIssues).find((list) => list.length > 0);
	const lines = issues ?? messagesIn(reports).slice(0, 1);
	if (lines.length === 0) return undefined;
	const report = [...new Set(lines)].map(withFullStop).join(' ').slice(0, MAX_SEARCHED);
	const masked = maskSecrets(report, secrets);
	return masked.length <= MAX_REPORT ? masked : `${masked.slice(0, MAX_REPORT)}…`;
}

function readIssues({ issues }: Entry): string[] {
	if (!Array.isArray(issues)) return [];
	return issues
		.slice(0, MAX_ISSUES)
		.filter(isObject)
		.filter(({ message }) => isText(message))
		.map(({ path, message }) => (isText(path) ? `${path}: ${message}` : String(message)));
}

/** A scope is shown when it looks like one: anything else could be anything. */
const SCOPE = /^[\w:.*/-]{1,64}$/;
const MAX_SCOPES = 10;

/** The rights that a key lacks (a fork of Kurrier: 403 `INSUFFICIENT_SCOPE` with `requiredScopes`). */
function requiredScopes(reports: readonly Entry[]): string[] | undefined {
	const report = reports.find(
		({ code, requiredScopes: scopes }) => code === 'INSUFFICIENT_SCOPE' || Array.isArray(scopes),
	);
	if (report === undefined) return undefined;
	const scopes = [report.requiredScopes].flat().filter(isText);
	return scopes.filter((scope) => SCOPE.test(scope)).slice(0, MAX_SCOPES);
}

/** The service knows the path, but not what was asked of it. */
const NOT_OFFERED: ReadonlySet<number> = new Set([405, 501]);

/** As the web framework of Kurrier (h3) says it. The services' own words for a missing entry are others. */
const NO_ROUTE = /^cannot find any (?:route|path) matching/i;

function saysMissingRoute(status: number, reports: readonly Entry[]): boolean {
	if (NOT_OFFERED.has(status)) return true;
	return status === 404 && messagesIn(reports).some((message) => NO_ROUTE.test(message.trim()));
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}
