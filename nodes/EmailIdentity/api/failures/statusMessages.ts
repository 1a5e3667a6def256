import { withFullStop } from '../../../../lib/basics';
import {
	CANNOT_CREATE,
	CHECK_BASE_URL,
	UNREADABLE_RESPONSE,
	type Advice,
	type StatusFailure,
} from './errors';
import { readReport, type FailureReport } from './failureReport';
import { maskSecrets, secretsOfUrl } from './redaction';
import { NO_WAY_TO_SEND } from './sender';
import { redirectTarget, type ApiRequest, type ApiResponse, type ResourceKind } from '../request';
import { isObject } from '../data/json';
import { isUuid } from '../data/resources';

const WRONG_ADDRESS: Advice = {
	message: 'The API was not found at this URL',
	description: CHECK_BASE_URL,
};

const NO_METHOD: readonly number[] = [405, 501];

/** Resources that always exist and belong to the key, so a 403 or 404 has another cause. */
const ALWAYS_THERE: readonly ResourceKind[] = ['user', 'identities', 'webhooks'];

/** Facts about a failed request, besides its status. */
interface Conditions {
	/** Whether an ID in the request is not a UUID: Kurrier fails on such IDs. */
	hasOddId: boolean;
	/** Whether the service does not have the endpoint. */
	isRouteMissing: boolean;
	/** Whether the key lacks a permission. */
	lacksRight: boolean;
	/** Whether the service says why it refuses the key. */
	tellsKeyReason: boolean;
	/** Whether the service finds no way to send from the identity of an email. */
	isSenderRefused: boolean;
	/** Whether the email that is replied to was not found. */
	isOriginalMissing: boolean;
}

interface AdviceRow extends Advice {
	/** Statuses, or classes such as `5`. */
	statuses: readonly number[];
	/** Absent: all. */
	resources?: readonly ResourceKind[];
	/** Absent: all. */
	method?: ApiRequest['method'];
	/** Must be true; absent if the row does not depend on one. */
	condition?: keyof Conditions;
}

const NO_MESSAGE: Advice = {
	message: 'The message was not found',
	description:
		'Use the ID from the output of the Email Identity Trigger (delivery.id), not the Message-ID. The message may also have been deleted, or belong to another account.',
};

/** The first matching row applies. */
const ADVICE: readonly AdviceRow[] = [
	{
		statuses: [404, ...NO_METHOD],
		condition: 'isRouteMissing',
		resources: ['email'],
		message: 'This service cannot send emails',
		description:
			"Its version of the API has no endpoint for it. Use n8n's Send Email node instead. If other operations fail as well, check the base URL{inCredential}.",
	},
	{
		statuses: [400, 404, 422],
		condition: 'isSenderRefused',
		resources: ['email'],
		...NO_WAY_TO_SEND,
	},
	{ statuses: [400, 404], condition: 'isOriginalMissing', resources: ['email'], ...NO_MESSAGE },
	{
		statuses: [404],
		resources: ['email'],
		message: 'The service did not find the message, the identity or the endpoint',
		description:
			"No email was sent. Check 'From', and 'Message ID' if there is one. If this service cannot reply, use Message > Send.",
	},
	{
		statuses: [413],
		resources: ['email'],
		message: 'The email is too large for the service',
		description:
			'Files take a third more than their size. Send fewer or smaller ones, or raise the limit of the service or of the proxy in front of it.',
	},
	{
		statuses: [400, 422],
		resources: ['email'],
		message: 'The service refused the email as invalid',
		description: 'Correct the values, then try again.',
	},
	{
		statuses: [404, ...NO_METHOD],
		condition: 'isRouteMissing',
		resources: ['message'],
		message: 'This service cannot return single messages',
		description:
			"Its version of the API has no endpoint for them. Use the output of the Email Identity Trigger, with 'Verify With the API' turned off. If other operations fail as well, check the base URL{inCredential}.",
	},
	{ statuses: [404], condition: 'isRouteMissing', ...WRONG_ADDRESS },
	{
		statuses: CANNOT_CREATE,
		resources: ['webhook'],
		method: 'POST',
		message: 'The service could not create the webhook',
		description:
			"Try again later. If it keeps failing, the service cannot create webhooks through its API. Create the webhook on the service's website, with the same URL and events. Create or Update, Update, Pause and Resume then work with it.",
	},
	{
		statuses: [400, 422],
		message: 'The service refused the {resource} as invalid',
		description: 'Correct the values, then try again.',
	},
	{
		statuses: [401],
		condition: 'tellsKeyReason',
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
		condition: 'lacksRight',
		message: 'The API key lacks a required permission',
		description: 'Grant it to the key in the service, or use another API key.',
	},
	{
		statuses: [403],
		resources: ALWAYS_THERE,
		message: 'The API key is not allowed to read the {resource}',
		description: 'Check its permissions in the service, or use another API key.',
	},
	{ statuses: [403, 404], resources: ['message'], ...NO_MESSAGE },
	{
		statuses: [403],
		resources: ['email'],
		message: "The API key cannot send from the identity in 'From'",
		description:
			"It may not exist, or belong to another account. Choose one under 'From List', or use the API key of the account that owns it.",
	},
	{
		statuses: [403],
		message: 'The API key has no access to this {resource}',
		description:
			"It may not exist, or belong to another account. Choose one under 'From List', or use the API key of the account that owns it.",
	},
	{ statuses: [404], resources: ALWAYS_THERE, ...WRONG_ADDRESS },
	{
		statuses: [404],
		message: 'The {resource} was not found',
		description:
			"It may have been deleted, or belong to another account. Check the ID, or choose one under 'From List'.",
	},
	{
		statuses: [409],
		message: 'The service reported a conflict with existing data',
		description: 'Check the existing data for this {resource}, then try again.',
	},
	{
		statuses: [429],
		message: 'The service received too many requests',
		description: "Try again later. If the node has the option 'Max Concurrent Requests', lower it.",
	},
	{
		statuses: [408, 502, 503, 504],
		message: 'The service is currently unavailable',
		description: 'It may be restarting or overloaded. Try again in a few minutes.',
	},
	{ statuses: [4], message: 'The service refused the request', description: CHECK_BASE_URL },
	{
		statuses: [500],
		condition: 'hasOddId',
		message: 'The service failed, perhaps because of a malformed ID',
		description:
			"Some services fail on an ID that is not a UUID such as 0e9a3c5b-7d1f-4b1e-9a59-6f6c3f1f2d10. Check the ID, or choose one under 'From List'. If it is right, try again later.",
	},
	{
		statuses: [5],
		message: 'The service failed',
		description:
			'Check that every ID comes from the service, and try again later. If it keeps failing, contact the operator of the service.',
	},
];

/** The message of Kurrier's web framework (h3). Messages for a missing entry are different. */
const NO_ROUTE = /^cannot find any (?:route|path) matching/im;

const LACKS_RIGHT = /^INSUFFICIENT_SCOPE$/m;

/** A fork of Kurrier sends the reason as the message of a 401. Neither keys nor HTML consist of small letters and spaces. */
const KEY_REASON = /^API key (?:owner )?(?:has|is) [a-z' ]{1,60}$/m;

/** Kurrier 3.5.0, for an identity without a folder `sent`. */
const SENDER_REFUSED = /^sent mailbox not found/im;

/** A fork of Kurrier, for the email that is replied to. */
const ORIGINAL_MISSING = /^(?:original )?message not found|^MESSAGE_NOT_FOUND$/im;

/** The limit that a service or a proxy names with 413. */
const SIZE = /\b\d[\d.,]{0,15} ?(?:[kmg]i?b|(?:kilo|mega)?bytes)\b/i;

/** The fields of the node, by the names in a request for an email. */
const EMAIL_FIELDS: ReadonlyMap<string, string> = new Map([
	['identityId', 'From'],
	['originalMessageId', 'Message ID'],
	['messageId', 'Message ID'],
	['to', 'To'],
	['subject', 'Subject'],
	['text', 'Text'],
	['html', 'HTML'],
	['attachments', 'Attachments'],
]);

/** What a service says about these fields may quote the text of an email. */
const CONTENT_FIELDS: readonly string[] = ['Subject', 'Text', 'HTML', 'Attachments'];

/** Bodies with these statuses explain mistakes in the request; other bodies may contain anything. */
const EXPLAINED_BY_SERVICE: readonly number[] = [400, 409, 422];

const MAX_SHOWN = 600;

/** @param apiKey is masked in words of the service, as are the secrets of the request */
export function statusFailure(
	request: ApiRequest,
	response: ApiResponse,
	apiKey: string,
): StatusFailure {
	const { status } = response;
	const report = readReport(response.text);
	const keyReason = keyReasonIn(report, status);
	const conditions: Conditions = {
		hasOddId: idsOf(request).some((id) => !isUuid(id)),
		isRouteMissing: isRouteMissingIn(report, status),
		lacksRight: status === 403 && LACKS_RIGHT.test(report.words),
		tellsKeyReason: keyReason !== undefined,
		isSenderRefused: request.resource === 'email' && SENDER_REFUSED.test(report.words),
		isOriginalMissing: ORIGINAL_MISSING.test(report.words),
	};

	const told: string[] = [];
	const explanation = explanationWithoutContent(request, report);
	if (EXPLAINED_BY_SERVICE.includes(status) && explanation !== '') told.push(explanation);
	const limit = status === 413 ? SIZE.exec(response.text.slice(0, MAX_SHOWN))?.[0] : undefined;
	if (limit !== undefined) told.push(`The limit is ${limit}.`);
	if (keyReason !== undefined) told.push(`${keyReason}.`);
	if (conditions.lacksRight && report.scopes !== '') told.push(`It needs ${report.scopes}.`);

	const secrets = [apiKey, ...secretsOfUrl(String(request.body?.url ?? ''))];
	const sentences = told.map((words) => toShown(words, secrets));
	sentences.push(`HTTP status ${status}.`);

	let advice = adviceFor(request, status, conditions);
	const target = redirectTarget(response);
	// The query of the target may contain a secret.
	if (target) advice = redirectAdvice(toShown(target.origin + target.pathname, secrets));
	return {
		message: advice.message,
		detail: sentences.join(' '),
		description: advice.description,
		status,
		isRouteMissing: conditions.isRouteMissing,
		lacksRight: conditions.lacksRight,
		isSenderRefused: conditions.isSenderRefused,
	};
}

/** A service's own explanation without the content of emails, which it may quote. */
function explanationWithoutContent(
	{ resource, body }: ApiRequest,
	{ explanation, issues }: FailureReport,
): string {
	if (resource === 'message') return '';
	if (resource !== 'email') return explanation;
	const sentences = new Set<string>();
	for (const { path, message } of issues) {
		const [name = '', position = ''] = path.split('.');
		const field = EMAIL_FIELDS.get(name);
		if (field === undefined) continue;
		let reason = CONTENT_FIELDS.includes(field) ? 'is not valid' : message;
		if (name === 'attachments') reason = fileProblem(body?.attachments, position);
		sentences.add(withFullStop(`'${field}': ${reason}`));
	}
	return [...sentences].join(' ');
}

/** Names the file, which `attachments.0.content` does not. @param files of the request */
function fileProblem(files: unknown, position: string): string {
	const file: unknown =
		Array.isArray(files) && position !== '' ? files[Number(position)] : undefined;
	if (!isObject(file)) return 'is not valid';
	if (file.content === '') return `${String(file.filename)} is empty`;
	return `${String(file.filename)} is not valid`;
}

/** The IDs of identities and webhooks in a request. */
function idsOf({ path, body }: ApiRequest): string[] {
	const [, id] = /^\/(?:identities|webhooks)\/([^/]+)$/.exec(path) ?? [];
	return [id, body?.identityId].filter((one) => typeof one === 'string');
}

function keyReasonIn({ words }: FailureReport, status: number): string | undefined {
	if (status !== 401) return undefined;
	return KEY_REASON.exec(words)?.[0];
}

function isRouteMissingIn({ words }: FailureReport, status: number): boolean {
	if (NO_METHOD.includes(status)) return true;
	return status === 404 && NO_ROUTE.test(words);
}

/** Words of the service without secrets, and of a bounded length. */
function toShown(words: string, secrets: readonly string[]): string {
	const masked = maskSecrets(words, secrets);
	if (masked.length <= MAX_SHOWN) return masked;
	return `${masked.slice(0, MAX_SHOWN)}…`;
}

function adviceFor(
	{ method, resource }: ApiRequest,
	status: number,
	conditions: Conditions,
): Advice {
	const statusClass = Math.floor(status / 100);
	for (const row of ADVICE) {
		const isStatus = row.statuses.includes(status) || row.statuses.includes(statusClass);
		const isResource = row.resources === undefined || row.resources.includes(resource);
		const isMethod = row.method === undefined || row.method === method;
		const isMet = row.condition === undefined || conditions[row.condition];
		if (isStatus && isResource && isMethod && isMet) return row;
	}
	return UNREADABLE_RESPONSE;
}

function redirectAdvice(target: string): Advice {
	return {
		message: 'The service redirects the request',
		description: `The redirect to ${target} was not followed. ${CHECK_BASE_URL}`,
	};
}
