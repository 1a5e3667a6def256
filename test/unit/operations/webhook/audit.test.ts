import { toWebhook } from '../../../../nodes/EmailIdentity/api/resources';
import { duplicatesAmong } from '../../../../nodes/EmailIdentity/operations/webhook/audit';

const forIdentity = (identityId: string | null) =>
	toWebhook({ id: '1', url: 'https://a.example/', identityId });

test.each([
	['the same identity', ['A', 'a'], true],
	['different identities', ['a', 'b'], false],
	['all identities and one', [null, 'a'], true],
	['all identities twice', [null, null], true],
	['all identities once', [null], false],
])('webhooks with one URL for %s: duplicates %p', (_name, identityIds, expected) => {
	const webhooks = identityIds.map(forIdentity);
	expect(webhooks.map(duplicatesAmong(webhooks))).toEqual(identityIds.map(() => expected));
});

test('many webhooks with one URL take linear time', () => {
	const webhooks = Array.from({ length: 100_000 }, (_, index) => forIdentity(`ID-${index}`));
	const started = Date.now();
	expect(webhooks.some(duplicatesAmong(webhooks))).toBe(false);
	expect(Date.now() - started).toBeLessThan(10_000);
});
