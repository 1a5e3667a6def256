import { NodeApiError, type INode } from 'n8n-workflow';
import { toUrl } from '../lib/hosts';
import { withoutTags } from '../lib/text';
import { isObject } from './json';
import { redirectTarget } from './request';
import { messagesIn, readReport, reportsIn, requiredScopes, saysMissingRoute } from './responses';
import type { Advice, ApiRequest, ApiResponse, Subject } from './types';

/** Properties of a failure that decide how the code continues. */
interface Facts {
	/** The HTTP status, if the service responded with an error status. */
	status?: number;
	/** Whether the service may have carried out the request although the call failed. */
	mayHaveActed: boolean;
	/** Whether the service has no such route; false if uncertain. */
	isRouteMissing?: boolean;
	/** Whether the service refused the key because it lacks a permission. */
	lacksRight?: boolean;
}

export interface Failure extends Facts {
	advice: Advice;
	/** Shown before the description. */
	details?: Array<string | undefined>;
}

/** A failed request to the service. Its facts are private because n8n shows and stores every property of an error. */
export class ServiceError extends NodeApiError {
	readonly #facts: Facts;

	constructor(
		node: INode,
		{ method, subject }: ApiRequest,
		{ advice, details = [], ...facts }: Failure,
	) {
		const doubt = method === 'POST' && facts.mayHaveActed ? PERHAPS_CREATED : undefined;
		const description = [doubt, ...details, advice.description].filter((detail) => !!detail);
		super(
			node,
			{},
			{
				message: withSubject(advice.message, subject),
				description: withoutTags(withSubject(description.join(' '), subject)),
				httpCode: facts.status === undefined ? undefined : String(facts.status),
			},
		);
		// The editor recognizes n8n's class by its name.
		this.name = NodeApiError.name;
		this.#facts = facts;
	}

	static factsOf(error: unknown): Partial<Facts> {
		return isObject(error) && #facts in error ? error.#facts : {};
	}
}

/** Undefined if the service did not respond with an error status. */
export const statusOf = (error: unknown): number | undefined => ServiceError.factsOf(error).status;

export const mayHaveActed = (error: unknown): boolean =>
	ServiceError.factsOf(error).mayHaveActed === true;

export const isRouteMissing = (error: unknown): boolean =>
	ServiceError.factsOf(error).isRouteMissing === true;

export const lacksRight = (error: unknown): boolean =>
	ServiceError.factsOf(error).lacksRight === true;

const PERHAPS_CREATED =
	'The {subject} may still have been created. Check before you create it again.';

export function withSubject(text: string, subject: Subject): string {
	const name = { identities: 'list of identities', webhooks: 'list of webhooks' }[String(subject)];
	return text.replaceAll('{subject}', name ?? subject);
}

const CHECK_BASE_URL =
	'Check the base URL in the Email Identity API credential. It ends in the path of the API, such as /api/kurrier.';

export const NOT_THIS_API: Advice = {
	message: 'The response is not from the Email Identity API',
	description: CHECK_BASE_URL,
};

export const UNREADABLE: Advice = {
	message: 'The service sent a response that cannot be read',
	description: CHECK_BASE_URL,
};

/** For a success status with a body that reports a failure. */
export const REPORTED_FAILURE: Advice = {
	message: 'The service reported that the request failed',
	description: 'Correct the values, or contact the operator of the service.',
};

export const INCOMPLETE: Advice = {
	message: 'The service sent only part of the {subject}',
	description: 'Incomplete lists are not used. Contact the operator of the service.',
};

const WRONG_ADDRESS: Advice = {
	message: 'The API was not found at this URL',
	description: CHECK_BASE_URL,
};

const NO_SINGLE_MESSAGES: Advice = {
	message: 'This service cannot return single messages',
	description:
		'Its version of the API has no endpoint for them. Use the output of the Email Identity Trigger, with Verify With the API turned off. If other operations fail as well, check the base URL in the Email Identity API credential.',
};

/** Statuses of a service whose API cannot create webhooks (Kurrier 3.5.0 always responds with 500). */
export const CANNOT_CREATE: ReadonlySet<number> = new Set([405, 500, 501]);

const WEBHOOK_NOT_CREATED: Advice = {
	message: 'The service could not create the webhook',
	description:
		"Try again later. If it keeps failing, the service cannot create webhooks through its API. Create the webhook on the service's website, with the same URL and events. Create or Update, Update, Pause and Resume then work with it.",
};

/** These always exist and belong to the key, so a 403 or 404 has another cause. */
const ALWAYS_THERE: readonly Subject[] = ['user', 'identities', 'webhooks'];

/** The first matching row applies. A status may be a class, such as `5`. */
const ADVICE: ReadonlyArray<
	Advice & { statuses: readonly number[]; subjects?: readonly Subject[] }
> = [
	{
		statuses: [400, 422],
		message: 'The service refused the {subject} as invalid',
		description: 'Correct the values, then try again.',
	},
	{
		statuses: [401],
		message: 'The service refused the API key',
		description:
			'Check the API key in the Email Identity API credential. It may be mistyped, expired, revoked, or for another deployment.',
	},
	{
		statuses: [403],
		subjects: ALWAYS_THERE,
		message: 'The API key is not allowed to read the {subject}',
		description: 'Check its permissions in the service, or use another API key.',
	},
	{
		statuses: [403],
		message: 'The API key has no access to this {subject}',
		description:
			'It may not exist, or belong to another account. Check the ID, or use the API key of the account that owns it.',
	},
	{ statuses: [404], subjects: ALWAYS_THERE, ...WRONG_ADDRESS },
	{
		statuses: [404],
		subjects: ['message'],
		message: 'The message was not found',
		description:
			'Use the ID from the output of the Email Identity Trigger (delivery.id), not the Message-ID. The message may also have been deleted, or belong to another account.',
	},
	{
		statuses: [404],
		message: 'The {subject} was not found',
		description:
			'It may have been deleted, or belong to another account. Check the ID, or choose it from the list.',
	},
	{
		statuses: [409],
		message: 'The service reported a conflict with existing data',
		description: 'Check the existing data for this {subject}, then try again.',
	},
	{
		statuses: [429],
		message: 'The service received too many requests',
		description:
			'It still refused after several attempts. Try again later. If the node has the Max Concurrent Requests option, lower it.',
	},
	{
		statuses: [502, 503, 504],
		message: 'The service is currently unavailable',
		description: 'It may be restarting or overloaded. Try again in a few minutes.',
	},
	{
		statuses: [3],
		message: 'The service responded with a redirect',
		description: CHECK_BASE_URL,
	},
	{ statuses: [4], message: 'The service refused the request', description: CHECK_BASE_URL },
	{
		statuses: [5],
		message: 'The service reported an internal error',
		description:
			'Check that every ID comes from the service, and try again later. If it keeps failing, contact the operator of the service.',
	},
];

/** A fork of Kurrier sends the reason as the message of a 401. */
const KEY_REASON = /^API key has (?:expired|been revoked)/m;

/** What happened and what to do, for a response with an error status. */
export function adviceFor(response: ApiResponse, { method, subject }: ApiRequest): Advice {
	const { status, text } = response;
	const reports = reportsIn(text);
	const scopes = status === 403 ? requiredScopes(reports) : undefined;
	if (scopes) {
		return {
			message: 'The API key lacks a required permission',
			description: `This request needs ${scopes.join(', ') || 'another scope'}. Grant it to the key in the service, or use another API key.`,
		};
	}
	const reason = status === 401 ? KEY_REASON.exec(messagesIn(reports).join('\n'))?.[0] : undefined;
	if (reason !== undefined) {
		return {
			message: `The ${reason}`,
			description:
				'Create a new key in the service, and enter it in the Email Identity API credential.',
		};
	}
	if (saysMissingRoute(status, reports)) {
		if (subject === 'message') return NO_SINGLE_MESSAGES;
		if (status === 404) return WRONG_ADDRESS;
	}
	if (method === 'POST' && CANNOT_CREATE.has(status)) return WEBHOOK_NOT_CREATED;
	const row = ADVICE.find(
		({ statuses, subjects = [subject] }) =>
			(statuses.includes(status) || statuses.includes(Math.floor(status / 100))) &&
			subjects.includes(subject),
	);
	return redirectAdvice(response) ?? row ?? UNREADABLE;
}

/** Leaves out the query because it may contain a secret. */
function redirectAdvice(response: ApiResponse): Advice | undefined {
	const target = redirectTarget(response);
	if (target === undefined) return undefined;
	const isElsewhere = target.origin !== toUrl(response.url).origin;
	const where = isElsewhere
		? `The redirect goes to ${target.origin}. The API key is not sent there.`
		: `The redirect goes to ${target.pathname}, which may be a sign-in page.`;
	return {
		message: `The service redirects the request${isElsewhere ? ' to another address' : ''}`,
		description: `${where} ${CHECK_BASE_URL}`,
	};
}

/** Bodies with these statuses explain mistakes in the request; other bodies may contain anything. */
const EXPLAINED_BY_SERVICE: ReadonlySet<number> = new Set([400, 409, 422]);

/**
 * The failure for a response with an error status.
 *
 * @param secrets values to mask in the explanation of the service
 */
export function statusFailure(
	request: ApiRequest,
	response: ApiResponse,
	secrets: readonly string[],
): Omit<Failure, 'mayHaveActed'> {
	const { status, text } = response;
	const reports = reportsIn(text);
	const isExplained = EXPLAINED_BY_SERVICE.has(status);
	return {
		advice: adviceFor(response, request),
		details: [
			isExplained ? readReport(request, text, secrets) : undefined,
			`HTTP status ${status}.`,
		],
		status,
		isRouteMissing: saysMissingRoute(status, reports),
		lacksRight: status === 403 && requiredScopes(reports) !== undefined,
	};
}
