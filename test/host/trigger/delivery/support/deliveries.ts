import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	IWebhookFunctions,
} from 'n8n-workflow';

import { EmailIdentityTrigger } from '../../../../../nodes/EmailIdentity/EmailIdentityTrigger.node';
import { receiveDelivery } from '../../../../../nodes/EmailIdentity/trigger/delivery/n8nWebhook';
import { createDeliveryMemory } from '../../../../../nodes/EmailIdentity/trigger/delivery/deliveryHost';
import {
	deriveSecret,
	digestSecret,
	withSecret,
	type SecretScope,
} from '../../../../../nodes/EmailIdentity/shared/secret';
import { startWebhookHost, type WebhookHost, type WebhookHostSetup } from '../../../support';

export const API_KEY = 'key-of-the-deliveries-test';
export const INSTANCE = 'instance-of-the-test';

function triggerNode(): EmailIdentityTrigger {
	const memory = createDeliveryMemory();
	return Object.assign(new EmailIdentityTrigger(), {
		async webhook(this: IWebhookFunctions) {
			return await receiveDelivery(this, memory);
		},
	});
}

export interface TriggerHost extends WebhookHost {
	post(body: unknown, options?: PostOptions): Promise<Response>;
	signedUrl: string;
	urlFor(scope: Partial<SecretScope>, apiKey?: string): string;
}

export interface PostOptions {
	url?: string;
	/** `null` sends none. */
	contentType?: string | null;
	headers?: Record<string, string>;
}

let hosts = 0;
const running: TriggerHost[] = [];

afterEach(async () => {
	await Promise.all(running.splice(0).map(async (host) => await host.stop()));
});

/** Until the end of the test. */
export async function startDeliveryHost(
	parameters: INodeParameters = {},
	setup: Partial<WebhookHostSetup> = {},
): Promise<TriggerHost> {
	const webhookId = setup.webhookId ?? `webhook-${++hosts}`;
	const host = await startWebhookHost({
		type: triggerNode(),
		credential: { baseUrl: 'http://127.0.0.1:1', apiKey: API_KEY },
		instanceId: INSTANCE,
		parameters,
		...setup,
		webhookId,
	});
	const urlFor = (scope: Partial<SecretScope>, apiKey = API_KEY) =>
		withSecret(
			host.url,
			deriveSecret(apiKey, {
				instanceId: INSTANCE,
				webhookPath: webhookId,
				listening: setup.isTest === true ? 'test' : 'production',
				...scope,
			}),
		);
	const signedUrl = urlFor({});
	const post: TriggerHost['post'] = async (body, options = {}) => {
		const { url = signedUrl, contentType = 'text/plain;charset=UTF-8' } = options;
		const type = contentType !== null && { 'content-type': contentType };
		const headers = { ...type, ...options.headers };
		return await fetch(url, { method: 'POST', headers, body: toBytes(body) });
	};
	const started = Object.assign(host, { signedUrl, urlFor, post });
	running.push(started);
	return started;
}

export const storedSubscription = (secret: string, more: IDataObject = {}) => ({
	id: 's-1',
	instanceId: INSTANCE,
	url: 'https://n8n.example',
	ownerId: 'o-1',
	secretDigest: digestSecret(secret),
	listening: 'production',
	...more,
});

/** `fetch` adds a content type to a string, but not to bytes. */
function toBytes(body: unknown): Uint8Array<ArrayBuffer> {
	if (body instanceof Uint8Array) return new Uint8Array(body);
	return new Uint8Array(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
}

export async function contentOf({ binary }: INodeExecutionData, field: string): Promise<string> {
	const data = binary?.[field];
	if (data === undefined) throw new Error(`There is no binary field ${field}`);
	return (await Container.get(BinaryDataService).getAsBuffer(data)).toString();
}

export interface MailParts {
	from?: string;
	to?: string;
	subject?: string;
	text?: string;
	attachment?: { name: string; content: string };
	/** Tells copies of one email apart, as `Received` does. */
	trace?: string;
}

export function mail({
	from = 'Ada <ada@example.com>',
	to = 'inbox@example.org',
	subject = 'Hello',
	text = 'Hi there',
	attachment,
	trace = 'none',
}: MailParts = {}): string {
	const body = ['Content-Type: text/plain; charset=utf-8', '', text];
	const content = attachment && [
		'Content-Type: multipart/mixed; boundary=edge',
		'',
		'--edge',
		...body,
		'--edge',
		'Content-Type: application/octet-stream',
		'Content-Transfer-Encoding: base64',
		`Content-Disposition: attachment; filename="${attachment.name}"`,
		'',
		Buffer.from(attachment.content).toString('base64'),
		'--edge--',
	];
	return [
		`X-Trace: ${trace}`,
		'Received: from sender.example by mx.example; Sat, 21 Nov 2026 10:00:00 +0000',
		`From: ${from}`,
		`To: ${to}`,
		`Subject: ${subject}`,
		'Message-ID: <mail@example.com>',
		...(content ?? body),
		'',
	].join('\r\n');
}

/** Each ID is another email, unless `trace` says otherwise. */
export function received(id: string | undefined, parts: MailParts = {}) {
	return {
		event: 'message.received',
		data: {
			message: { id, subject: parts.subject ?? 'Hello' },
			rawEmail: mail({ trace: id, ...parts }),
		},
	};
}
