import type { INodeParameters } from 'n8n-workflow';

import { receiveDelivery } from '../../../../nodes/EmailIdentity/trigger/delivery';
import { startDeliveryHost } from './deliveries';
import { startScriptedDns } from '../../../dns/scriptedDns';
import { composeMail, createSigner, delivered } from '../../../dns/signedMails';

const loaded: string[] = [];

/** Notes that what the check takes is loaded, and loads it. */
const mockNoted = (name: string): object => {
	loaded.push(name);
	return jest.requireActual(`../../../../nodes/EmailIdentity/dns/${name}`);
};

jest.mock('../../../../nodes/EmailIdentity/dns/senderCheck', () => mockNoted('senderCheck'));
jest.mock('../../../../nodes/EmailIdentity/dns/httpsResolver', () => mockNoted('httpsResolver'));
jest.mock('../../../../nodes/EmailIdentity/dns/authentication/checkSender', () =>
	mockNoted('authentication/checkSender'),
);

const signer = createSigner('example.com');

const OTHERS: INodeParameters = {
	ignore: ['drafts', 'sent', 'spam', 'trash', 'autoReplies', 'bounces', 'lists'],
	filters: { from: 'ada@example.com', subject: 'hello', onlyAuthenticated: false },
	options: { includeHeaders: true, removeQuotedText: true, trustedServers: 'mx.example.org' },
};

test('without the filter and the option nothing of the check is loaded, and nobody is asked', async () => {
	const doh = await startScriptedDns(signer.zones);
	const resolver = { dnsResolver: doh.address };
	const parameters = { ...OTHERS, options: { ...(OTHERS.options as object), ...resolver } };
	const plain = await startDeliveryHost(parameters);
	const checking = await startDeliveryHost({ options: { ...resolver, checkSender: true } });
	const event = delivered('m-1', await composeMail({ from: 'ada@example.com' }, signer));
	try {
		expect(typeof receiveDelivery).toBe('function');
		await plain.post(event);
		expect(plain.started()).toHaveLength(1);
		expect([loaded, doh.asked]).toEqual([[], []]);

		await checking.post(event);
		expect(loaded).toEqual(['senderCheck', 'httpsResolver', 'authentication/checkSender']);
		expect(doh.asked).not.toEqual([]);
	} finally {
		await Promise.all([plain.stop(), checking.stop(), doh.stop()]);
	}
});
