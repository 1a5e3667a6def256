import { digestSecret, secretOfUrl } from '../../../../nodes/EmailIdentity/shared/secret';
import {
	INSTANCE,
	received,
	startDeliveryHost,
	storedSubscription,
	type TriggerHost,
} from './support/deliveries';

let host: TriggerHost;

const staticDataWith = (...told: Parameters<typeof storedSubscription>) => ({
	staticData: { subscription: storedSubscription(...told) },
});

test.each<[string, boolean, (host: TriggerHost) => string]>([
	['no secret', false, ({ url }) => url],
	['an empty secret', false, ({ url }) => `${url}?token=`],
	['a wrong secret', false, ({ url }) => `${url}?token=guessed`],
	['the secret of another workflow', false, (h) => h.urlFor({ webhookPath: 'other' })],
	['the secret of another n8n', false, (h) => h.urlFor({ instanceId: 'other' })],
	['the secret of the test address', false, (h) => h.urlFor({ listening: 'test' })],
	['the secret of the production address', true, (h) => h.urlFor({ listening: 'production' })],
	['the secret of another API key', false, (h) => h.urlFor({}, 'other')],
])('%s is answered 401', async (_what, isTest, url) => {
	host = await startDeliveryHost({}, { isTest });
	const answer = await host.post(received('m-1'), { url: url(host) });

	expect(answer.status).toBe(401);
	expect(await answer.json()).toMatchObject({ status: 'refused' });
	expect(host.outcomes).toEqual([{}]);
	expect(host.staticData).toEqual({});
});

test('with a wrong secret, neither the body is read nor an expression of a parameter evaluated', async () => {
	host = await startDeliveryHost({ simplify: "={{ $('No such node').item.json.simplify }}" });
	const wrong = await host.post('no JSON', { url: `${host.url}?token=guessed` });
	const unread = await host.post('no JSON');
	const failed = await host.post(received('m-1'));

	expect([wrong.status, unread.status, failed.status]).toEqual([401, 400, 500]);
});

test('the secret of the subscription stays valid after the API key was changed', async () => {
	host = await startDeliveryHost({}, staticDataWith('of the old key'));
	const old = await host.post(received('m-1'), { url: `${host.url}?token=of%20the%20old%20key` });
	const current = await host.post(received('m-2'));

	expect([old.status, current.status]).toEqual([200, 200]);
	expect(host.started()).toHaveLength(2);
});

test.each([
	['the digest, which a workflow export can hold', digestSecret('secret'), INSTANCE],
	['the secret of a subscription that came with static data of another n8n', 'secret', 'other'],
])('%s is refused', async (_what, token, instanceId) => {
	host = await startDeliveryHost({}, staticDataWith('secret', { instanceId }));
	const answer = await host.post(received('m-1'), { url: `${host.url}?token=${token}` });

	expect(answer.status).toBe(401);
	expect(host.started()).toEqual([]);
});

test('a delivery is answered 503 if the credential is missing', async () => {
	host = await startDeliveryHost({}, { credential: undefined });
	const answer = await host.post(received('m-1'));

	expect(answer.status).toBe(503);
	expect(answer.headers.get('retry-after')).toBeTruthy();
	expect(host.started()).toEqual([]);
});

test('the secret and the key are not in the item, the static data and the log', async () => {
	host = await startDeliveryHost({ simplify: false });
	await host.post(received('m-1'));
	const kept = JSON.stringify([host.started(), host.staticData, host.logLines()]);

	expect(kept).not.toContain(secretOfUrl(host.signedUrl));
	expect(kept).not.toContain('key-of-the-deliveries-test');
});
