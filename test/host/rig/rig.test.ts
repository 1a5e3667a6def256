import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IExecuteFunctions, INodeType, IWebhookFunctions } from 'n8n-workflow';

import { hookContext, runNode, startNode, startWebhookHost } from '.';

const API_KEY = 'key-of-the-rig-test';

const description = {
	displayName: 'Probe',
	name: 'probe',
	group: ['transform' as const],
	version: [1, 2],
	description: 'Shows what n8n gives a node',
	defaults: { name: 'Probe' },
	inputs: ['main' as const],
	outputs: ['main' as const],
	credentials: [{ name: 'emailIdentityApi', required: true }],
	webhooks: [
		{
			name: 'default' as const,
			httpMethod: 'POST' as const,
			path: 'webhook',
			responseMode: 'onReceived',
		},
	],
	properties: [{ displayName: 'Path', name: 'path', type: 'string' as const, default: '/default' }],
};

const probe: INodeType = {
	description,
	async execute(this: IExecuteFunctions) {
		const { baseUrl } = await this.getCredentials<{ baseUrl: string }>('emailIdentityApi');
		const outputs = this.getInputData().map(async (_item, itemIndex) => ({
			json: (await this.helpers.httpRequestWithAuthentication.call(this, 'emailIdentityApi', {
				url: `${baseUrl}${this.getNodeParameter('path', itemIndex) as string}`,
			})) as Record<string, string>,
			pairedItem: { item: itemIndex },
		}));
		this.logger.info('asked the service');
		return [await Promise.all(outputs)];
	},
	async webhook(this: IWebhookFunctions) {
		const body = this.getRequestObject().body as unknown;
		if (body === undefined) {
			this.getResponseObject().status(400).json({ problem: 'no body was read' });
			return { noWebhookResponse: true };
		}
		this.getWorkflowStaticData('node').last = JSON.stringify(body);
		return { workflowData: [[{ json: { body: JSON.stringify(body) } }]] };
	},
};

let server: Server;
let baseUrl: string;

beforeAll(async () => {
	server = createServer((request, response) => {
		response.setHeader('content-type', 'application/json');
		response.end(
			JSON.stringify({ path: request.url, authorization: request.headers.authorization }),
		);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
	await new Promise((resolve) => server.close(resolve));
});

test('a node runs with expressions read per item, defaults, and the credential in the request', async () => {
	const run = await runNode({
		type: probe,
		credential: { baseUrl, apiKey: API_KEY },
		parameters: { path: '=/of/{{ $json.name }}' },
		items: [{ json: { name: 'one' } }, { json: { name: 'two' } }],
	});

	expect(run.error).toBeUndefined();
	expect(run.outputs[0]).toMatchObject([
		{ json: { path: '/of/one', authorization: `Bearer ${API_KEY}` }, pairedItem: { item: 0 } },
		{ json: { path: '/of/two' }, pairedItem: { item: 1 } },
	]);
	expect(run.logLines).toContainEqual({ level: 'info', message: 'asked the service' });
});

test('a failing node leaves its error in the run', async () => {
	const run = await runNode({
		type: probe,
		credential: { baseUrl: 'http://127.0.0.1:1', apiKey: API_KEY },
	});

	expect(run.status).toBe('error');
	expect(run.error?.message).toBeTruthy();
});

test('a running node can be stopped', async () => {
	let stopped = false;
	let nodeStarted = () => {};
	const started = new Promise<void>((resolve) => {
		nodeStarted = resolve;
	});
	const waiting: INodeType = {
		description,
		async execute(this: IExecuteFunctions) {
			nodeStarted();
			await new Promise<void>((resolve) => {
				this.onExecutionCancellation(() => {
					stopped = true;
					resolve();
				});
			});
			return [[]];
		},
	};
	const running = await startNode({ type: waiting, credential: { baseUrl, apiKey: API_KEY } });
	await started;
	running.cancel();
	await running.finished;

	expect(stopped).toBe(true);
});

test('a hook sees its addresses, its n8n and its own copy of the static data', () => {
	const staticData = { subscriptionId: 'before' };
	const setup = {
		type: probe,
		webhookId: 'path-of-the-node',
		webhookBaseUrl: 'https://n8n.example/webhook',
		webhookTestBaseUrl: 'https://n8n.example/webhook-test',
		instanceId: 'first-n8n',
		staticData,
	};
	const { context, staticData: saved } = hookContext(setup);
	context.getWorkflowStaticData('node').subscriptionId = 'after';

	expect(context.getNodeWebhookUrl('default')).toBe(
		'https://n8n.example/webhook/path-of-the-node/webhook',
	);
	expect(hookContext({ ...setup, isTest: true }).context.getNodeWebhookUrl('default')).toBe(
		'https://n8n.example/webhook-test/path-of-the-node/webhook',
	);
	expect(context.getInstanceId()).toBe('first-n8n');
	expect(saved()).toEqual({ subscriptionId: 'after' });
	expect(staticData).toEqual({ subscriptionId: 'before' });
});

describe('a delivery', () => {
	const post = async (url: string, type: string | undefined, body: string) =>
		await fetch(url, {
			method: 'POST',
			headers: type === undefined ? {} : { 'content-type': type },
			body: Buffer.from(body),
		});

	test.each([
		{ type: 'application/json', body: '{"a":1}', status: 200, started: '{"a":1}' },
		{ type: 'application/json', body: '{"a":', status: 422, started: undefined },
		{ type: 'text/plain;charset=UTF-8', body: '{"a":1}', status: 200, started: '"{\\"a\\":1}"' },
		{ type: 'application/octet-stream', body: '{"a":1}', status: 400, started: undefined },
		{ type: undefined, body: '{"a":1}', status: 400, started: undefined },
	])('$type $body is answered $status', async ({ type, body, status, started }) => {
		const host = await startWebhookHost({ type: probe });
		try {
			const answer = await post(host.url, type, body);

			expect(answer.status).toBe(status);
			expect(host.started()[0]?.[0]?.[0]?.json.body).toBe(started);
			expect(host.staticData.last).toBe(started);
		} finally {
			await host.stop();
		}
	});
});
