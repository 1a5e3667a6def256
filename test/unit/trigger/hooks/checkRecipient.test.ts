import { recipientWarning } from '../../../../nodes/EmailIdentity/trigger/hooks/checkRecipient';

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
