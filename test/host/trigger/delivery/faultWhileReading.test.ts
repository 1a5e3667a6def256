import type { IDataObject } from 'n8n-workflow';

import { composeMail, createSigner, delivered } from '../../../dns/signedMails';
import { startDeliveryHost } from './deliveries';
import { startScriptedDns } from '../../../dns/scriptedDns';

/** A fault of this node, when the sender has been checked already: other words than the email's go into the output. */
jest.mock('../../../../nodes/EmailIdentity/email/bodyText', () => ({
	...jest.requireActual<object>('../../../../nodes/EmailIdentity/email/bodyText'),
	readBodies: async () => await Promise.reject(new Error('A fault')),
}));

const signer = createSigner('example.com');

test('what was proved of an email does not stand for what else is known of it', async () => {
	const doh = await startScriptedDns(signer.zones);
	const advanced = { dnsResolver: doh.address };
	const only = await startDeliveryHost({ senderCheck: 'require', advanced });
	const check = await startDeliveryHost({ senderCheck: 'add', advanced });
	const event = delivered('m-1', await composeMail({ from: 'ada@example.com' }, signer));
	Object.assign(event.data.message, { from: 'eve@evil.example', text: 'Pay at once' });
	try {
		await Promise.all([only.post(event), check.post(event)]);
		const [item] = check.started()[0]?.[0] ?? [];

		expect(only.started()).toEqual([]);
		expect(only.logLines()[0]?.message).toMatch(/\(Sender Check: unknown\)$/);
		expect(item?.json).toMatchObject({ parsed: false, from: { address: 'eve@evil.example' } });
		expect((item?.json.delivery as IDataObject).authentication).toMatchObject({
			result: 'unknown',
			domain: null,
		});
	} finally {
		await Promise.all([only.stop(), check.stop(), doh.stop()]);
	}
});
