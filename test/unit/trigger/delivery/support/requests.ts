import type { INode, INodeExecutionData, NodeApiError } from 'n8n-workflow';

import {
	serviceError,
	type ServiceFailure,
} from '../../../../../nodes/EmailIdentity/api/failures/errors';
import type { EmailIdentityService } from '../../../../../nodes/EmailIdentity/api/service';
import type { CheckedMessage } from '../../../../../nodes/EmailIdentity/shared/reading/authenticateSender';
import type { MessageWithEmail } from '../../../../../nodes/EmailIdentity/shared/reading/messageWithEmail';
import { readCommonParameters } from '../../../../../nodes/EmailIdentity/trigger/settings/collections';
import { answerSafely } from '../../../../../nodes/EmailIdentity/trigger/delivery/n8nWebhook';
import { decide } from '../../../../../nodes/EmailIdentity/trigger/delivery/decide';
import { checkSecret } from '../../../../../nodes/EmailIdentity/trigger/delivery/steps/checkSecret';
import type { DeliveryAnswer } from '../../../../../nodes/EmailIdentity/trigger/delivery/outcomes';
import {
	createDeliveryMemory,
	type DeliveryHost,
} from '../../../../../nodes/EmailIdentity/trigger/delivery/deliveryHost';
import type { Arrived } from '../../../../../nodes/EmailIdentity/trigger/delivery/stages';
import type { DeliveryParameters } from '../../../../../nodes/EmailIdentity/trigger/settings/settings';
import { digestSecret } from '../../../../../nodes/EmailIdentity/shared/secret';
import type { StoredSubscription } from '../../../../../nodes/EmailIdentity/trigger/staticData';

export const PARAMETERS: DeliveryParameters = {
	...readCommonParameters({ getNodeParameter: (_name, fallback) => fallback }),
	event: 'message.received',
	simplify: true,
	downloadAttachments: true,
	output: 'email',
	ignore: ['drafts', 'sent', 'spam', 'trash'],
	filters: {},
	identityId: null,
};

export const SECRET = 'the secret of the subscription';

export const STORED: StoredSubscription = {
	id: 's-1',
	instanceId: 'n8n-1',
	url: 'https://n8n.example/webhook/w-1/webhook',
	ownerId: 'owner-1',
	workspaceId: 'workspace-1',
	secretDigest: digestSecret(SECRET),
	listening: 'production',
};

export interface Told extends Partial<Arrived>, Partial<Omit<DeliveryHost, 'service'>> {
	parameters?: Partial<DeliveryParameters>;
	message?: object;
	rawEmail?: string;
	body?: unknown;
	service?: Partial<EmailIdentityService>;
}

const INBOX = 'inbox@example.org';

let messages = 0;

export const SCOPE = { instanceId: 'n8n-1', webhookPath: 'w-1', listening: 'production' } as const;

export async function answerTo({
	parameters,
	message,
	rawEmail = EMAIL,
	service,
	body = {
		event: 'message.received',
		data: { message: { id: `m-${++messages}`, deliveredTo: INBOX, ...message }, rawEmail },
	},
	...told
}: Told = {}): Promise<DeliveryAnswer> {
	const arrived: Arrived = {
		scope: SCOPE,
		workflowId: 'workflow-1',
		arrivedAt: performance.now(),
		secret: SECRET,
		stored: STORED,
		seen: undefined,
		closed: new Promise(() => undefined),
		...told,
	};
	const memory = told.memory ?? createDeliveryMemory();
	const lentService = () => {
		if (service === undefined) throw new Error('The test has no service to ask');
		return service as EmailIdentityService;
	};
	const host: DeliveryHost = {
		memory,
		credentialId: 'credential-1',
		pause: async () => await Promise.resolve(),
		service: lentService,
		authenticateSender: () => {
			throw new Error('The test checks no senders');
		},
		prepareFile: async (content, fileName, mimeType) =>
			await Promise.resolve({ data: content.toString('base64'), fileName, mimeType }),
		remember: () => undefined,
		log: () => undefined,
		...told,
	};
	return await answerSafely(async () => {
		const refused = await checkSecret(arrived, host);
		if (refused) return refused;
		const authenticated = {
			...arrived,
			secret: String(arrived.secret),
			body,
			parameters: { ...PARAMETERS, ...parameters },
		};
		return await decide(authenticated, host);
	}, host);
}

/** A service that records what it is asked, and fails where the test gives no answer. */
export function answeringService(answers: Record<string, unknown>) {
	const asked: string[] = [];
	const ask = (what: string) => async () => {
		asked.push(what);
		const answer = answers[what] ?? failure(500);
		return await (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer));
	};
	const service = {
		getIdentity: async (id: string) => await ask(`identity ${id}`)(),
		getMessage: ask('message'),
		listIdentities: ask('identities'),
		listWebhooks: ask('webhooks'),
		ownerId: ask('user'),
	} as unknown as Partial<EmailIdentityService>;
	return { asked, service };
}

export const checking =
	(result: 'pass' | 'fail', domain: string, signed: string[] = []) =>
	async (email: MessageWithEmail): Promise<CheckedMessage> =>
		await Promise.resolve({
			sender: {
				authentication: {
					result,
					reason: null,
					domain,
					signatures: [],
					policy: null,
					reported: null,
					signed,
				},
				retryable: false,
			},
			email,
		});

export const failure = (status?: number, facts: Partial<ServiceFailure> = {}): NodeApiError =>
	serviceError(
		{ name: 'Node Under Test' } as INode,
		{ method: 'GET', path: '/', resource: 'message' },
		{ message: 'Failed', description: '', mayHaveActed: false, status, ...facts },
	);

export async function outcomeOf(told: Told): Promise<string> {
	const answer = await answerTo(told);
	if (answer.outcome === 'refused') return String(answer.status);
	return answer.outcome === 'ignored' ? answer.reason : answer.outcome;
}

export async function itemsOf(told: Told): Promise<INodeExecutionData[]> {
	const answer = await answerTo(told);
	return answer.outcome === 'started' ? answer.items : [];
}

/** Only To names its recipient. */
export const EMAIL = emailWith('From: Ada <ada@sender.example>', 'To: team@lists.example');

export function emailWith(...header: string[]): string {
	return [
		'Received: from sender.example by mx.example; Sat, 21 Nov 2026 10:00:00 +0000',
		...header,
		'Subject: Hello',
		'Message-ID: <hello@sender.example>',
		'',
		'Hi there',
		'',
	].join('\r\n');
}
