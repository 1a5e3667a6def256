import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { EmailIdentityTrigger } from '../../../../nodes/EmailIdentity/EmailIdentityTrigger.node';
import {
	readHookRequest,
	readTriggerRequest,
} from '../../../../nodes/EmailIdentity/trigger/hooks/readRequest';
import { hookContext, triggerContext, type HookSetup } from '../../support';

const SETUP: HookSetup = {
	type: new EmailIdentityTrigger(),
	name: 'Mail',
	webhookId: '0a1b',
	workflow: { id: 'flow-1', name: 'Flow' },
	instanceId: 'this-n8n',
	webhookBaseUrl: 'https://n8n.example/webhook',
	webhookTestBaseUrl: 'https://n8n.example/webhook-test',
};

const TEST: Partial<HookSetup> = { mode: 'manual', activation: 'manual', isTest: true };

const hookOf = (setup: Partial<HookSetup> = {}) => {
	const { context, ...left } = hookContext({ ...SETUP, ...setup });
	return { context, request: readHookRequest(context), ...left };
};

const triggerOf = (setup: Partial<HookSetup> = {}) => {
	const { context, ...left } = triggerContext({ ...SETUP, ...setup });
	return { request: readTriggerRequest(context), ...left };
};

test.each([
	['activate', 'publish'],
	['update', 'publish'],
	['init', 'start'],
	['leadershipChange', 'start'],
] as const)('n8n calls create for "%s": it is a %s', (activation, occasion) => {
	expect(hookOf({ activation }).request.occasion).toBe(occasion);
});

test('a published node and a test event have addresses and secrets of their own', () => {
	expect(hookOf().request.endpoint).toMatchObject({
		listening: 'production',
		address: 'https://n8n.example/webhook/0a1b/webhook',
		name: 'Flow / Mail',
	});
	expect(hookOf(TEST).request.endpoint).toMatchObject({
		listening: 'test',
		address: 'https://n8n.example/webhook-test/0a1b/webhook',
	});
});

test('settings that let no email through are refused only where they are checked', () => {
	const parameters = { receiveFor: 'one', identityId: { __rl: true, mode: 'list', value: '' } };
	const { request } = hookOf({ parameters });
	expect(() => request.parameters(true)).toThrow('No identity is selected');
	expect(request.parameters(false)).toMatchObject({ events: ['message.received'] });
	expect(hookOf().request.parameters(true)).toMatchObject({ chosen: null });
});

test('what a hook stores is there when n8n calls the next one', () => {
	const { request, staticData } = hookOf();
	expect(request.stored).toBeUndefined();
	const subscription = {
		id: 'w-1',
		instanceId: 'this-n8n',
		url: 'https://n8n.example/webhook/0a1b/webhook',
		ownerId: 'me',
		workspaceId: null,
		secretDigest: 'digest',
		listening: 'production' as const,
	};
	request.store(subscription);
	const next = hookOf({ staticData: staticData() as IDataObject });
	expect(next.request.stored).toMatchObject(subscription);
});

test('a request of n8n to itself is JSON and has the time limit that it is given', async () => {
	const { context, request } = hookOf();
	let sent: IHttpRequestOptions | undefined;
	context.helpers.httpRequest = async (options) => await Promise.resolve((sent = options));
	await request.post('https://n8n.example/', { sample: 'announce' }, 5_000);
	expect(sent).toMatchObject({ method: 'POST', json: true, timeout: 5_000 });
});

test('the log and the errors name the workflow and the node', () => {
	const { request, logLines } = hookOf();
	request.log('warn', 'something happened.');
	expect(logLines()).toMatchObject([
		{ level: 'warn', message: expect.stringMatching(/"Mail" of workflow "Flow": something/) },
	]);
	expect(request.failure('Broken')).toMatchObject({ message: 'Broken.', node: { name: 'Mail' } });
});

test('a published trigger is checked as often as its option says, a test event never', () => {
	expect(triggerOf().request).toMatchObject({ isPublished: true, checkEveryMinutes: 15 });
	const parameters = { advanced: { checkEvery: 0 } };
	expect(triggerOf({ parameters }).request.checkEveryMinutes).toBe(0);
	expect(triggerOf({ mode: 'manual' }).request.isPublished).toBe(false);
});

test('a failure that lasts becomes a failed execution, and nothing becomes none', () => {
	const { request, failures } = triggerOf();
	request.report(undefined);
	request.report({ cause: 'key', message: 'the key was refused.' });
	expect(failures).toMatchObject([{ description: 'The key was refused.' }]);
});
