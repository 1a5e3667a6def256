import {
	optionFields,
	readOptions,
	type ParameterContext,
} from '../../../nodes/EmailIdentity/trigger/options';

const nodeWith = (options: Record<string, unknown>): ParameterContext => ({
	getNodeParameter: () => options,
});

test('an option that was not added means what its field offers as the default', () => {
	const offered = Object.fromEntries(optionFields.map((field) => [field.name, field.default]));
	expect(readOptions(nodeWith({}))).toEqual(offered);
});

test('an option that was added means what it is set to', () => {
	const set = {
		attachmentPrefix: 'file',
		checkEvery: 60,
		deliveryUrl: 'https://gateway.example/in',
		checkSender: true,
		dnsResolver: 'https://dns.example.com/dns-query',
		ignoreDuplicates: 'off',
		includeHeaders: true,
		includeRawEmail: true,
		onDeactivation: 'delete',
		removeQuotedText: true,
		trustedServers: 'mx.example.com',
		useSampleEmail: true,
		verify: true,
	};
	expect(readOptions(nodeWith(set))).toEqual(set);
});

test.each([
	[' https://gateway.example/in\n', 'https://gateway.example/in'],
	['  ', ''],
	[null, ''],
])('blanks around a Delivery URL are forgiven: %j', (deliveryUrl, meant) => {
	expect(readOptions(nodeWith({ deliveryUrl })).deliveryUrl).toBe(meant);
});

test('the time between two checks is never negative', () => {
	expect(readOptions(nodeWith({ checkEvery: -5 })).checkEvery).toBe(0);
});
