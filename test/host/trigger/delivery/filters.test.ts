import { received, startDeliveryHost, type MailParts } from './deliveries';

const passes = async (filters: Record<string, string | boolean>, parts: MailParts) => {
	const host = await startDeliveryHost({ filters });
	try {
		const answer = await host.post(received('m-1', parts));
		const repeat = await host.post(received('m-1', parts));
		const { reason } = (await repeat.json().catch(() => ({}))) as { reason?: string };
		expect([answer.status, repeat.status]).toEqual([200, 200]);
		expect(reason).toBe(host.started().length === 1 ? 'duplicate' : 'filtered');
		return host.started().length === 1;
	} finally {
		await host.stop();
	}
};

const attachment = { name: 'a.pdf', content: 'pdf' };

const crowd = Array.from({ length: 5000 }, (_, index) => `${index}@a.a`).join(',\r\n ');

test.each<[string, Record<string, string | boolean>, MailParts, boolean]>([
	['no filter', {}, {}, true],
	['empty filters', { from: ' ', to: '', subject: '' }, {}, true],
	['an address', { from: 'ada@example.com' }, {}, true],
	['an address in another case', { from: 'ADA@Example.COM' }, {}, true],
	['another address', { from: 'bob@example.com' }, {}, false],
	['a domain', { from: 'example.com' }, {}, true],
	['a domain after @', { from: '@example.com' }, {}, true],
	['another domain', { from: 'ample.com' }, {}, false],
	['a subdomain pattern', { from: '*.example.com' }, { from: 'a@mail.example.com' }, true],
	['a subdomain pattern on the domain', { from: '*.example.com' }, {}, false],
	['an address pattern', { from: 'a*@example.*' }, {}, true],
	['a pattern without @', { from: 'ada*' }, {}, true],
	['a pattern for everyone', { from: '*' }, {}, true],
	['several, one fits', { from: 'x@y.z, ada@example.com' }, {}, true],
	['several on lines', { from: 'x@y.z\nexample.com' }, {}, true],
	['several, none fits', { from: 'x@y.z; y.z' }, {}, false],
	[
		'a display name is no address',
		{ from: 'ada@example.com' },
		{ from: '"ada@example.com" <eve@evil.example>' },
		false,
	],
	['To', { to: 'inbox@example.org' }, {}, true],
	['To among several', { to: 'b@b.b' }, { to: 'A <a@a.a>, B <b@b.b>' }, true],
	['To behind thousands of others', { to: 'last@b.b, c.c' }, { to: `${crowd}, last@b.b` }, true],
	['none of thousands', { to: 'first@b.b, *@*.c' }, { to: `${crowd}, last@b.b` }, false],
	['Cc', { to: 'copy@c.c' }, { cc: 'copy@c.c' }, true],
	['another recipient', { to: 'nobody@example.org' }, {}, false],
	['the subject', { subject: 'hell' }, {}, true],
	[
		'an encoded subject',
		{ subject: 'GRÜSSE' },
		{ subject: '=?utf-8?B?R3LDvHNzZSBhdXMgS8O2bG4=?=' },
		true,
	],
	['another subject', { subject: 'invoice' }, {}, false],
	['attachments wanted and there', { hasAttachments: true }, { attachment }, true],
	['attachments wanted and not there', { hasAttachments: true }, {}, false],
	['attachments unwanted and there', { hasAttachments: false }, { attachment }, false],
	['attachments unwanted and not there', { hasAttachments: false }, {}, true],
	[
		'attachments wanted in another spelling',
		{ hasAttachments: "={{ 'TRUE' }}" },
		{ attachment },
		true,
	],
	['the same, and none there', { hasAttachments: '={{ 1 }}' }, {}, false],
	['attachments unwanted in another spelling', { hasAttachments: "={{ 'no' }}" }, {}, true],
	['nobody can tell if attachments are wanted', { hasAttachments: '={{ null }}' }, {}, true],
	['the same, and some there', { hasAttachments: "={{ 'perhaps' }}" }, { attachment }, true],
	['all of several', { from: 'example.com', subject: 'hello', hasAttachments: false }, {}, true],
	['one of several', { from: 'example.com', subject: 'other' }, {}, false],
])('%s', async (_what, filters, parts, expected) => {
	expect(await passes(filters, parts)).toBe(expected);
});

test('where there is no raw email, the message object is filtered', async () => {
	const host = await startDeliveryHost({ filters: { from: 'ada@example.com' } });
	try {
		const from = (address: string) => ({ text: address, value: [{ name: '', address }] });
		for (const address of ['ada@example.com', 'eve@evil.example']) {
			const message = { id: address, from: from(address) };
			await host.post({ event: 'message.received', data: { message, rawEmail: '' } });
		}

		expect(host.started()).toMatchObject([[[{ json: { delivery: { id: 'ada@example.com' } } }]]]);
	} finally {
		await host.stop();
	}
});
