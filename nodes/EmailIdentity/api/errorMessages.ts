import type { Subject, TransportProblem } from './exchange';

/** A message says what happened, a description what to do. `{subject}` is replaced in both. */
export interface Advice {
	message: string;
	description: string;
}

const CHECK_BASE_URL =
	'Check the base URL in the Email Identity API credential: it must end in the path of the API.';

const INVALID: Advice = {
	message: 'The service refused the {subject} as invalid',
	description: 'Correct the values and run it again.',
};

const IN_TROUBLE: Advice = {
	message: 'The service had an internal problem',
	description: 'Try again later. If it goes on, tell the operator of the service.',
};

/** One table from status to advice (contract, section 7, and what services do in general). */
export const STATUS_ADVICE: Readonly<Record<number, Advice>> = {
	400: INVALID,
	401: {
		message: 'The service refused the API key',
		description:
			'Check the API key in the Email Identity API credential. It may be mistyped, expired or revoked, or belong to another deployment.',
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
	409: {
		message: 'The service reports a conflict with what is already there',
		description: 'Look at what exists for this {subject}, then run it again.',
	},
	413: {
		message: 'The service refused the request as too large',
		description: 'Shorten the values and run it again.',
	},
	422: INVALID,
	429: {
		message: 'The service received too many requests',
		description:
			'It went on refusing after several attempts. Wait a while, or lower Max Concurrent Requests in the options of the node.',
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
export const STATUS_CLASS_ADVICE: Readonly<Record<number, Advice>> = {
	3: {
		message: 'The service sends the request to another address',
		description: `The API key is not sent there. ${CHECK_BASE_URL}`,
	},
	4: {
		message: 'The service refused the request',
		description: `It may be a different service or version. ${CHECK_BASE_URL}`,
	},
	5: IN_TROUBLE,
};

/** These always exist in the API, so that 404 means the address is wrong. */
export const ALWAYS_THERE: ReadonlySet<Subject> = new Set(['user', 'identities', 'webhooks']);

export const WRONG_ADDRESS: Advice = {
	message: 'The API was not found at this address',
	description: CHECK_BASE_URL,
};

/** What is said when an answer arrived that cannot be read. */
export const UNREADABLE: Advice = {
	message: 'The service sent an answer that cannot be read',
	description: CHECK_BASE_URL,
};

/** Goes before the description when a creation's answer was lost. */
export const PERHAPS_CREATED =
	'The {subject} may have been created all the same: look for it before you create it again.';

/** Why there was no answer. No sentence may name an error code: n8n would replace the whole message. */
export const TRANSPORT_ADVICE: Readonly<Record<TransportProblem, Advice>> = {
	unreachable: {
		message: 'The service cannot be reached',
		description:
			'It refused the connection or the network is down. Check that the service is running and that the base URL in the credential names the right host and port.',
	},
	unknownHost: {
		message: 'The host of the base URL is not known',
		description: 'Check the spelling of the base URL in the Email Identity API credential.',
	},
	certificate: {
		message: 'The certificate of the service is not trusted',
		description:
			'It may be expired, self-signed or for another name. Renew it, or make n8n trust its issuer.',
	},
	brokenConnection: {
		message: 'The connection to the service broke before it answered',
		description: 'Try again. If it goes on, look at the service and at any proxy in between.',
	},
	timeout: {
		message: 'The service took too long to answer',
		description: 'Try again later. If it goes on, the service may be overloaded.',
	},
	cancelled: {
		message: 'The execution was cancelled',
		description: 'The request was not repeated.',
	},
	blocked: {
		message: 'n8n does not allow requests to this address',
		description:
			'Ask the operator of n8n to allow it, or use another address in the base URL of the credential.',
	},
};

/** How each subject is called in a sentence. */
export const SUBJECT_NAMES: Readonly<Record<Subject, string>> = {
	user: 'user',
	identity: 'identity',
	identities: 'list of identities',
	message: 'message',
	webhook: 'webhook',
	webhooks: 'list of webhooks',
};
