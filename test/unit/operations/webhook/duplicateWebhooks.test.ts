import { toWebhook } from '../../../../nodes/EmailIdentity/api/data/resources';
import { duplicatesAmong } from '../../../../nodes/EmailIdentity/operations/webhook/duplicateWebhooks';

const forIdentity = (identityId: string | null) =>
	toWebhook({ id: '1', url: 'https://a.example/', identityId });

test.each([
	['the same identity', ['A', 'a'], true],
	['different identities', ['a', 'b'], false],
	['all identities and one', [null, 'a'], true],
	['all identities twice', [null, null], true],
	['all identities once', [null], false],
])('webhooks with one URL for %s are duplicates: %p', (_name, identityIds, expected) => {
	const webhooks = identityIds.map(forIdentity);
	expect(webhooks.map(duplicatesAmong(webhooks))).toEqual(identityIds.map(() => expected));
});

test('webhooks whose URLs the service does not show are no duplicates', () => {
	const webhooks = ['1', '2'].map((id) => toWebhook({ id, events: ['message.received'] }));
	expect(webhooks.some(duplicatesAmong(webhooks))).toBe(false);
});

test('100,000 webhooks with one URL are compared within the time of a test', () => {
	const webhooks = Array.from({ length: 100_000 }, (_, index) => forIdentity(`ID-${index}`));
	expect(webhooks.some(duplicatesAmong(webhooks))).toBe(false);
});
