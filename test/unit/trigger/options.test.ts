import {
	optionFields,
	readFilters,
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
	['TRUE', true],
	['false', false],
	[0, false],
	[null, false],
	['perhaps', false],
])('an expression may give %j for a switch', (given, expected) => {
	const switches = optionFields.filter(({ type }) => type === 'boolean').map(({ name }) => name);
	const options = readOptions(nodeWith(Object.fromEntries(switches.map((name) => [name, given]))));

	expect(options).toMatchObject(Object.fromEntries(switches.map((name) => [name, expected])));
});

test.each([
	[{ onlyAuthenticated: 'TRUE', hasAttachments: 'TRUE' }, true, true],
	[{ onlyAuthenticated: 'no', hasAttachments: 'no' }, false, false],
	// No email is lost, and nobody is let in who has to prove himself.
	[{ onlyAuthenticated: null, hasAttachments: null }, true, undefined],
	[{ onlyAuthenticated: undefined, hasAttachments: undefined }, true, undefined],
	[{}, undefined, undefined],
])('of %j each filter is read', (given, onlyAuthenticated, hasAttachments) => {
	const filters = readFilters(nodeWith(given));

	expect([filters.onlyAuthenticated, filters.hasAttachments]).toEqual([
		onlyAuthenticated,
		hasAttachments,
	]);
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
