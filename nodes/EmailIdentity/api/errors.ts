import { NodeApiError, type INode } from 'n8n-workflow';
import { withoutTags } from '../../../lib/basics';
import {
	redirectTarget,
	type Advice,
	type ApiRequest,
	type ApiResponse,
	type Subject,
} from './request';
import { isUuid } from './resources';
import { maskSecrets, secretsOfUrl } from './redaction';
import { CHECK_BASE_URL, readReport, UNREADABLE_RESPONSE } from './responses';

interface Facts {
	/** The status of the response; absent if there is none. */
	status?: number;
	/** Whether the service may have carried out the request. */
	mayHaveActed: boolean;
	/** Whether the service does not have the endpoint. Absent: false. */
	isRouteMissing?: boolean;
	/** Whether the key lacks a permission. Absent: false. */
	lacksRight?: boolean;
}

export type ServiceFailure = Facts & Advice;

/** Not properties of the errors, because n8n shows and stores every property. */
const knownFacts = new WeakMap<object, Facts>();

export function serviceError(
	node: INode,
	{ method, subject }: ApiRequest,
	failure: ServiceFailure,
): NodeApiError {
	const { message, detail, description, status, mayHaveActed } = failure;
	const doubt = method === 'POST' && mayHaveActed ? PERHAPS_CREATED : undefined;
	const sentences = [doubt, detail, description].filter((sentence) => !!sentence);
	const error = new NodeApiError(
		node,
		{},
		{
			message: filledAdvice(message, subject),
			description: withoutTags(filledAdvice(sentences.join(' '), subject)),
			httpCode: status === undefined ? undefined : String(status),
		},
	);
	knownFacts.set(error, failure);
	return error;
}

function factsOf(error: unknown): Partial<Facts> {
	return knownFacts.get(error as object) ?? {};
}

/** The status of the response. @returns undefined if there is none, or for another error */
export function statusOf(error: unknown): number | undefined {
	return factsOf(error).status;
}

/** Whether the service may have carried out the request that failed. */
export function mayHaveBeenDone(error: unknown): boolean {
	return factsOf(error).mayHaveActed === true;
}

/** Whether the service does not have the endpoint. */
export function isRouteMissing(error: unknown): boolean {
	return factsOf(error).isRouteMissing === true;
}

/** Whether the key lacks a permission, which the error's description names if the service does. */
export function lacksRight(error: unknown): error is NodeApiError {
	return factsOf(error).lacksRight === true;
}

/** Statuses that say something about the API key or the service. */
const NOT_ABOUT_RESOURCES: readonly number[] = [401, 408, 425, 429];

/** Whether a single resource does not exist, or not for this API key (Kurrier 3.5.0: 403 for both). False if in doubt. */
export function isMissing(error: unknown): boolean {
	const { status = 500, lacksRight } = factsOf(error);
	const isAboutResource = status >= 400 && status < 500 && !NOT_ABOUT_RESOURCES.includes(status);
	return isAboutResource && !lacksRight && !isRouteMissing(error);
}

const PERHAPS_CREATED =
	'The {subject} may still have been created. Check before you create it again.';

const LISTS: Partial<Record<Subject, string>> = {
	identities: 'list of identities',
	webhooks: 'list of webhooks',
};

/** Follows a field of the credential where the reader does not have it open. */
const IN_CREDENTIAL = ' in the Email Identity API credential';

/**
 * Fills the places of a sentence about a request.
 *
 * @param text may contain `{subject}` and, after the name of a field of the credential, `{inCredential}`
 * @param inCredential the words for `{inCredential}`; none in the credential's own dialog
 */
export function filledAdvice(
	text: string,
	subject: Subject,
	inCredential: string = IN_CREDENTIAL,
): string {
	return text
		.replaceAll('{subject}', LISTS[subject] ?? subject)
		.replaceAll('{inCredential}', inCredential);
}

const WRONG_ADDRESS: Advice = {
	message: 'The API was not found at this URL',
	description: CHECK_BASE_URL,
};

/** Statuses of a service whose API cannot create webhooks (Kurrier 3.5.0 always responds with 500). */
export const CANNOT_CREATE: readonly number[] = [405, 500, 501];

/** The message of Kurrier's web framework (h3). Messages for a missing entry are different. */
const NO_ROUTE = /^cannot find any (?:route|path) matching/im;

const NO_METHOD = [405, 501];

const LACKS_RIGHT = /^INSUFFICIENT_SCOPE$/m;

/** A fork of Kurrier sends the reason as the message of a 401. Neither keys nor HTML consist of small letters and spaces. */
const KEY_REASON = /^API key (?:owner )?(?:has|is) [a-z' ]{1,60}$/m;

/** Resources that always exist and belong to the key, so a 403 or 404 has another cause. */
const ALWAYS_THERE: readonly Subject[] = ['user', 'identities', 'webhooks'];

type Condition = 'hasOddId' | 'isRouteMissing' | 'lacksRight' | 'tellsKeyReason';

interface AdviceRow extends Advice {
	/** A status, or a class such as `5`. */
	statuses: readonly number[];
	subjects?: readonly Subject[];
	method?: ApiRequest['method'];
	fact?: Condition;
}

/** The first matching row applies. */
const ADVICE: readonly AdviceRow[] = [
	{
		statuses: [404, ...NO_METHOD],
		fact: 'isRouteMissing',
		subjects: ['message'],
		message: 'This service cannot return single messages',
		description:
			"Its version of the API has no endpoint for them. Use the output of the Email Identity Trigger, with 'Verify With the API' turned off. If other operations fail as well, check the base URL{inCredential}.",
	},
	{ statuses: [404], fact: 'isRouteMissing', ...WRONG_ADDRESS },
	{
		statuses: CANNOT_CREATE,
		method: 'POST',
		message: 'The service could not create the webhook',
		description:
			"Try again later. If it keeps failing, the service cannot create webhooks through its API. Create the webhook on the service's website, with the same URL and events. Create or Update, Update, Pause and Resume then work with it.",
	},
	{
		statuses: [400, 422],
		message: 'The service refused the {subject} as invalid',
		description: 'Correct the values, then try again.',
	},
	{
		statuses: [401],
		fact: 'tellsKeyReason',
		message: 'The service refused the API key',
		description: 'Create another key in the service, and enter it{inCredential}.',
	},
	{
		statuses: [401],
		message: 'The service refused the API key',
		description:
			'Check the API key{inCredential}. It may be mistyped, expired or revoked, or belong to another service.',
	},
	{
		statuses: [403],
		fact: 'lacksRight',
		message: 'The API key lacks a required permission',
		description: 'Grant it to the key in the service, or use another API key.',
	},
	{
		statuses: [403],
		subjects: ALWAYS_THERE,
		message: 'The API key is not allowed to read the {subject}',
		description: 'Check its permissions in the service, or use another API key.',
	},
	{
		statuses: [403, 404],
		subjects: ['message'],
		message: 'The message was not found',
		description:
			'Use the ID from the output of the Email Identity Trigger (delivery.id), not the Message-ID. The message may also have been deleted, or belong to another account.',
	},
	{
		statuses: [403],
		message: 'The API key has no access to this {subject}',
		description:
			"It may not exist, or belong to another account. Choose one under 'From List', or use the API key of the account that owns it.",
	},
	{ statuses: [404], subjects: ALWAYS_THERE, ...WRONG_ADDRESS },
	{
		statuses: [404],
		message: 'The {subject} was not found',
		description:
			"It may have been deleted, or belong to another account. Check the ID, or choose one under 'From List'.",
	},
	{
		statuses: [409],
		message: 'The service reported a conflict with existing data',
		description: 'Check the existing data for this {subject}, then try again.',
	},
	{
		statuses: [429],
		message: 'The service received too many requests',
		description: "Try again later. If the node has the option 'Max Concurrent Requests', lower it.",
	},
	{
		statuses: [502, 503, 504],
		message: 'The service is currently unavailable',
		description: 'It may be restarting or overloaded. Try again in a few minutes.',
	},
	{ statuses: [4], message: 'The service refused the request', description: CHECK_BASE_URL },
	{
		statuses: [500],
		fact: 'hasOddId',
		message: 'The service failed, perhaps because of a malformed ID',
		description:
			"Some services fail on an ID that is not a UUID such as 0e9a3c5b-7d1f-4b1e-9a59-6f6c3f1f2d10. Check the ID, or choose one under 'From List'. If it is right, try again later.",
	},
	{
		statuses: [5],
		message: 'The service reported an internal error',
		description:
			'Check that every ID comes from the service, and try again later. If it keeps failing, contact the operator of the service.',
	},
];

/** @param target without the query, which may contain a secret */
function redirectAdvice(target: string): Advice {
	return {
		message: 'The service redirects the request',
		description: `The redirect to ${target} was not followed. ${CHECK_BASE_URL}`,
	};
}

/** Bodies with these statuses explain mistakes in the request; other bodies may contain anything. */
const EXPLAINED_BY_SERVICE: readonly number[] = [400, 409, 422];

const MAX_SHOWN = 600;

/** The IDs of identities and webhooks in a request. Kurrier knows only UUIDs, and fails on others. */
function idsOf({ path, body }: ApiRequest): string[] {
	const [, id] = /^\/(?:identities|webhooks)\/([^/]+)$/.exec(path) ?? [];
	return [id, body?.identityId].filter((one) => typeof one === 'string');
}

/** @param apiKey is masked in words of the service, as are the secrets of the request */
export function statusFailure(
	request: ApiRequest,
	response: ApiResponse,
	apiKey: string,
): Omit<ServiceFailure, 'mayHaveActed'> {
	const { subject } = request;
	const { status } = response;
	const secrets = [apiKey, ...secretsOfUrl(String(request.body?.url ?? ''))];
	const show = (text: string): string => {
		const masked = maskSecrets(text, secrets);
		return masked.length <= MAX_SHOWN ? masked : `${masked.slice(0, MAX_SHOWN)}…`;
	};
	const { words, explanation, scopes } = readReport(response.text);
	const keyReason = status === 401 ? KEY_REASON.exec(words)?.[0] : undefined;
	const facts: Record<Condition, boolean> = {
		hasOddId: idsOf(request).some((id) => !isUuid(id)),
		tellsKeyReason: keyReason !== undefined,
		isRouteMissing: NO_METHOD.includes(status) || (status === 404 && NO_ROUTE.test(words)),
		lacksRight: status === 403 && LACKS_RIGHT.test(words),
	};
	const sentences: string[] = [];
	// An explanation about an email may quote it.
	const isExplained = EXPLAINED_BY_SERVICE.includes(status) && subject !== 'message';
	if (isExplained && explanation !== '') sentences.push(show(explanation));
	if (keyReason !== undefined) sentences.push(show(`${keyReason}.`));
	if (facts.lacksRight && scopes !== '') sentences.push(show(`It needs ${scopes}.`));
	sentences.push(`HTTP status ${status}.`);

	const target = redirectTarget(response);
	const advice = target
		? redirectAdvice(show(target.origin + target.pathname))
		: adviceFor(request, status, facts);
	return { ...advice, detail: sentences.join(' '), status, ...facts };
}

function adviceFor(
	{ method, subject }: ApiRequest,
	status: number,
	facts: Record<Condition, boolean>,
): Advice {
	const statusClass = Math.floor(status / 100);
	for (const row of ADVICE) {
		const isStatus = row.statuses.includes(status) || row.statuses.includes(statusClass);
		const isSubject = row.subjects === undefined || row.subjects.includes(subject);
		const isMethod = row.method === undefined || row.method === method;
		const isFact = row.fact === undefined || facts[row.fact];
		if (isStatus && isSubject && isMethod && isFact) return row;
	}
	return UNREADABLE_RESPONSE;
}
