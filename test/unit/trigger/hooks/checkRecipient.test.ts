import type { IHookFunctions } from 'n8n-workflow';

import {
	checkRecipient,
	recipientWarning,
} from '../../../../nodes/EmailIdentity/trigger/hooks/checkRecipient';
import type { HookRequest } from '../../../../nodes/EmailIdentity/trigger/state/hookRequest';

const IDENTITIES = [
	{ id: '1', value: 'sales@example.com', kind: 'email' },
	{ id: '2', value: 'Support@example.com', kind: 'email' },
	{ id: '3', value: 'example.net', kind: 'domain' },
];

async function warnsOf(identityId: string | null, to?: string) {
	let requests = 0;
	const listIdentities = async () => {
		requests++;
		return await Promise.resolve(IDENTITIES);
	};
	const warning = await recipientWarning({ identityId, filters: { to } }, { listIdentities });
	return { warning, requests };
}

test.each([
	['1', 'support@example.com', 'support@example.com'],
	['1', 'sales@example.com, support+it@example.com', 'support+it@example.com'],
	['3', 'support@example.com', 'support@example.com'],
])('for the identity %s, To with %s warns about %s', async (identityId, to, named) => {
	expect((await warnsOf(identityId, to)).warning).toContain(named);
});

test.each([
	['1', 'sales+orders@example.com, *@example.com, list@example.org, Support'],
	['3', 'ada@example.net'],
])('for the identity %s, To with %s warns about nothing', async (identityId, to) => {
	expect((await warnsOf(identityId, to)).warning).toBeUndefined();
});

test.each([
	[null, 'support@example.com'],
	['1', undefined],
	['1', 'example.com'],
])('for the identity %s, To with %s needs no request', async (identityId, to) => {
	expect(await warnsOf(identityId, to)).toEqual({ warning: undefined, requests: 0 });
});

test.each<[string, HookRequest['occasion'], 'production' | 'test', string[]]>([
	['the warning is in the log after publishing', 'publish', 'production', ['warn']],
	['it is not repeated at a start of n8n', 'start', 'production', []],
	['a test event has none', 'publish', 'test', []],
])('%s', async (_, occasion, listening, expected) => {
	const lines: string[] = [];
	const parameters: Record<string, unknown> = {
		receiveFor: 'one',
		identityId: '1',
		filters: { to: 'support@example.com' },
	};
	const context = {
		getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
	};
	const listed = Promise.resolve(IDENTITIES);
	const request = {
		endpoint: { listening },
		occasion,
		service: () => ({ listIdentities: async () => await listed }),
		log: (level: string) => void lines.push(level),
	};
	checkRecipient(context as IHookFunctions, request as unknown as HookRequest);
	for (let turn = 0; turn < 5; turn++) await listed;
	expect(lines).toEqual(expected);
});
