import type { Authentication } from '../../../../nodes/EmailIdentity/dns/senders/result';
import { received, startDeliveryHost } from './deliveries';

/** A check that reads another sender out of an email than the one that the workflow is given. */
const mockProved: Authentication = {
	...{ result: 'pass', reason: null, domain: 'example.com' },
	...{ signatures: [], policy: null, reported: null },
};

jest.mock('../../../../nodes/EmailIdentity/dns/senders', () => ({
	checkSender: async () => await Promise.resolve({ authentication: mockProved, retryable: false }),
}));

test.each([
	['eve@evil.example', 0],
	['eve@mail.example.com', 0],
	['"ada@example.com" <eve@evil.example>', 0],
	['ada@example.com', 1],
	['ada@EXAMPLE.com', 1],
])('a proof of example.com is one for %s %i times', async (from, times) => {
	const host = await startDeliveryHost({ senderCheck: 'require' });
	try {
		await host.post(received('m-1', { from }));

		expect(host.started()).toHaveLength(times);
	} finally {
		await host.stop();
	}
});
