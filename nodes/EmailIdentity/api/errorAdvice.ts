import { readMessages, readRequiredScopes } from './errorReport';
import { saysMissingRoute } from './missingRoute';
import { TRANSPORT_ADVICE } from './transportFailures';
import type { Advice, ApiRequest, Subject } from './types';

const CHECK_BASE_URL =
	'Check the base URL in the Email Identity API credential: it must end in the path of the API.';

const INVALID: Advice = {
	message: 'The service refused the {subject} as invalid',
	description: 'Correct the values and run it again.',
};

const IN_TROUBLE: Advice = {
	message: 'The service could not answer, for a reason of its own',
	description: 'Try again later. If it goes on, tell the operator of the service.',
};

/** One table from status to advice (contract, section 7, and what services do in general); `{subject}` is filled in. */
const STATUS_ADVICE: Readonly<Record<number, Advice>> = {
	400: INVALID,
	401: {
		message: 'The service refused the API key',
		description:
			'Check the API key in the Email Identity API credential. It may be mistyped, expired or revoked, or belong to another deployment.',
	},
	402: {
		message: 'The service wants to be paid first',
		description:
			'The account behind the API key has no plan or no credit for this. Look at the account in the service.',
	},
	403: {
		message: 'The API key has no access to this {subject}',
		description:
			'It may not exist, or belong to another account. Check the ID, or use the API key of the account that owns it.',
	},
	404: {
		message: 'The {subject} was not found',
		description:
			'It may have been deleted, or belong to another account. Check the ID, or choose it from the list.',
	},
	408: {
		message: 'The request took too long to reach the service',
		description: 'Try again. If it goes on, look at any proxy in between.',
	},
	409: {
		message: 'The service reports a conflict with what is already there',
		description: 'Look at what exists for this {subject}, then run it again.',
	},
	410: {
		message: 'The {subject} is gone',
		description: 'It was deleted for good. Choose another one.',
	},
	413: {
		message: 'The service refused the request as too large',
		description: 'Shorten the values and run it again.',
	},
	422: INVALID,
	429: {
		message: 'The service received too many requests',
		description:
			'It went on refusing after several attempts. Wait a while. Where the node has the option Max Concurrent Requests, lower it.',
	},
	500: IN_TROUBLE,
	502: {
		message: 'The service could not be reached behind its gateway',
		description: 'It may be restarting. Try again in a few minutes.',
	},
	503: {
		message: 'The service is not available at the moment',
		description: 'It may be overloaded or under maintenance. Try again in a few minutes.',
	},
	504: {
		message: 'The service took too long to answer its gateway',
		description: 'It may be overloaded. Try again in a few minutes.',
	},
};

/** For every other status: by its hundred. */
const STATUS_CLASS_ADVICE: Readonly<Record<number, Advice>> = {
	3: {
		message: 'The service answered with a redirect',
		description: CHECK_BASE_URL,
	},
	4: {
		message: 'The service refused the request',
		description: `It may be a different service or version. ${CHECK_BASE_URL}`,
	},
	5: IN_TROUBLE,
};

/** These always exist in the API, and belong to the key: what is missing or forbidden then is something else. */
const ALWAYS_THERE: ReadonlySet<Subject> = new Set(['user', 'identities', 'webhooks']);

const WRONG_ADDRESS: Advice = {
	message: 'The API was not found at this address',
	description: CHECK_BASE_URL,
};

/** Said of a service whose version has no `GET /messages/{id}`, as Kurrier 3.5.0. */
export const NO_SINGLE_MESSAGES: Advice = {
	message: 'This service cannot give single messages',
	description:
		'Its version of the API has no address for them. Use what the Email Identity Trigger gives with each email, with Verify With the API switched off. If other operations fail as well, check the base URL in the Email Identity API credential.',
};

/** Statuses of a service that has no working way to create webhooks through its API (Kurrier 3.5.0: 500 for everybody). */
export const CANNOT_CREATE: ReadonlySet<number> = new Set([405, 500, 501]);

const WEBHOOK_NOT_CREATED: Advice = {
	message: 'The service could not create the webhook',
	description:
		"Try again later. If it goes on, this service cannot create webhooks through its API: make it in the service's own page, with the same URL and events. Create or Update, Update, Pause and Resume work with it then.",
};

/** What a key is not allowed that always exists: these are refused for the key's sake. */
const MAY_NOT: Partial<Readonly<Record<Subject, string>>> = {
	user: 'This API key may not ask whose it is',
	identities: 'This API key may not list identities',
	webhooks: 'This API key may not list webhooks',
};

const MESSAGE_NOT_FOUND: Advice = {
	message: 'The message was not found',
	description:
		'Use the ID that the Email Identity Trigger gave (delivery.id), not the Message-ID. The message may also have been deleted, or belong to another account.',
};

const NEW_KEY = 'Make a new one in the service, and enter it in the Email Identity API credential.';

/** What services say about a key that they refuse; their own words are not repeated. */
const KEY_REASONS: ReadonlyArray<{ words: RegExp; advice: Advice }> = [
	{ words: /expired/i, advice: { message: 'The API key has expired', description: NEW_KEY } },
	{ words: /revoked/i, advice: { message: 'The API key has been revoked', description: NEW_KEY } },
];

/** A service that names several reasons at once does not know which it is. */
const SEVERAL_REASONS = /invalid|missing|unknown/i;

/** What web servers say on the port where they speak https. */
const WANTS_HTTPS =
	/plain http (?:request was sent )?to (?:an? )?(?:ssl|https)|http request to an https server/i;

/** Where a redirect leads: to another origin than the base URL's, or not. */
export interface RedirectTarget {
	/** As the user may see it. */
	address: string;
	isElsewhere: boolean;
}

/** What of an answer decides what is told about it. */
export interface FailedAnswer {
	status: number;
	/** The body; only known words of it are looked for. */
	text: string;
	redirect?: RedirectTarget;
}

/**
 * What happened and what to do, for an answer with a status that is no success.
 *
 * @param request what was asked for
 */
export function adviceFor(
	answer: FailedAnswer,
	request: Pick<ApiRequest, 'method' | 'subject'>,
): Advice {
	const { message, description } = generalAdvice(answer, request);
	const fill = (text: string) => text.replaceAll('{subject}', SUBJECT_NAMES[request.subject]);
	return { message: fill(message), description: fill(description) };
}

function generalAdvice(
	{ status, text, redirect }: FailedAnswer,
	{ method, subject }: Pick<ApiRequest, 'method' | 'subject'>,
): Advice {
	if (redirect && status < 400) return redirectAdvice(status, redirect);
	const scopes = status === 403 ? readRequiredScopes(text) : undefined;
	if (scopes) return scopeAdvice(scopes, subject);
	if (status === 400 && WANTS_HTTPS.test(text.slice(0, 2000))) {
		return TRANSPORT_ADVICE.speaksNoHttp;
	}
	if (status === 401) {
		const said = readMessages(text).join(' ');
		const reason = KEY_REASONS.find(({ words }) => words.test(said));
		if (reason && !SEVERAL_REASONS.test(said)) return reason.advice;
	}
	if (ALWAYS_THERE.has(subject)) {
		if (status === 404) return WRONG_ADDRESS;
		if (status === 403) return keyAdvice(subject);
	}
	if (saysMissingRoute(status, text)) {
		if (subject === 'message') return NO_SINGLE_MESSAGES;
		if (status === 404) return WRONG_ADDRESS;
	}
	if (status === 404 && subject === 'message') return MESSAGE_NOT_FOUND;
	if (method === 'POST' && subject === 'webhook' && CANNOT_CREATE.has(status)) {
		return WEBHOOK_NOT_CREATED;
	}
	const byClass = STATUS_CLASS_ADVICE[Math.floor(status / 100)];
	return STATUS_ADVICE[status] ?? byClass ?? UNREADABLE;
}

function redirectAdvice(status: number, { address, isElsewhere }: RedirectTarget): Advice {
	if (isElsewhere) {
		return {
			message: 'The service sends the request to another address',
			description: `It points to ${address}. The API key is not sent there. ${CHECK_BASE_URL}`,
		};
	}
	return status === 303
		? {
				message: 'The service points to another page in place of an answer',
				description: `It is ${address}, which may be a page to sign in. ${CHECK_BASE_URL}`,
			}
		: {
				message: 'The service redirects the request in place of answering it',
				description: `It points to ${address}, at the same service. ${CHECK_BASE_URL}`,
			};
}

function keyAdvice(subject: Subject): Advice {
	return {
		message: MAY_NOT[subject] ?? 'The API key lacks a right that this needs',
		description: 'Look at its rights in the service, or use another API key.',
	};
}

function scopeAdvice(scopes: readonly string[], subject: Subject): Advice {
	const { message, description } = keyAdvice(subject);
	if (scopes.length === 0) return { message, description };
	const lacking = `${scopes.length === 1 ? 'right' : 'rights'} ${scopes.join(', ')}`;
	return {
		message,
		description: `It lacks the ${lacking}. Give it to the key in the service, or use another API key.`,
	};
}

/** What is said when an answer arrived that cannot be read. */
export const UNREADABLE: Advice = {
	message: 'The service sent an answer that cannot be read',
	description: CHECK_BASE_URL,
};

/** What is said when a status of success comes with a body that reports a failure. */
export const REPORTED_FAILURE: Advice = {
	message: 'The service reports that the request failed',
	description:
		'It did so with a status that says success. Correct the values, or tell the operator of the service.',
};

/** What is said when further pages of a list cannot be had. */
export function incompleteAdvice(subject: Subject): Advice {
	return {
		message: `The service sent only a part of the ${SUBJECT_NAMES[subject]}`,
		description: 'A part is not used as if it were the whole. Tell the operator of the service.',
	};
}

/** Goes before the description when a creation's answer was lost. */
export const PERHAPS_CREATED =
	'The {subject} may have been created all the same: look for it before you create it again.';

/** How each subject is called in a sentence. */
export const SUBJECT_NAMES: Readonly<Record<Subject, string>> = {
	user: 'user',
	identity: 'identity',
	identities: 'list of identities',
	message: 'message',
	webhook: 'webhook',
	webhooks: 'list of webhooks',
};
