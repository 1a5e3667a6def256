import {
	collections,
	readFilters,
	readOptions,
	type ParameterContext,
} from '../../../nodes/EmailIdentity/trigger/options';

type Parameters = Record<string, unknown>;

const nodeWith = (parameters: Parameters): ParameterContext => ({
	getNodeParameter: (name, fallback) => parameters[name] ?? fallback,
});

const FIELDS = collections
	.filter(({ name }) => name !== 'filters')
	.flatMap(({ options }) => options);

test('a setting that was not added has the default of its field; a switch is off', () => {
	const expected = FIELDS.map(({ name, type, default: offered }) => [
		name,
		type === 'boolean' ? false : offered,
	]);
	expect(readOptions(nodeWith({}))).toEqual({
		...Object.fromEntries(expected),
		senderCheck: 'off',
		useSampleEmail: false,
	});
});

test('a switch is on when it is added', () => {
	const switches = FIELDS.filter(({ type }) => type === 'boolean');
	expect(switches.map((field) => field.default)).toEqual(switches.map(() => true));
});

test('a setting that was added means what it is set to', () => {
	const options = {
		attachmentPrefix: 'file',
		ignoreDuplicates: 'off',
		includeHeaders: true,
		includeRawEmail: true,
		removeQuotedText: true,
		textFormat: 'markdown',
	};
	const advanced = {
		checkEvery: 60,
		deliveryUrl: 'https://gateway.example/in',
		dnsResolver: 'https://dns.example.com/dns-query',
		onDeactivation: 'delete',
		trustedServers: 'mx.example.com',
		verify: true,
	};
	const beside = { senderCheck: 'add', useSampleEmail: true };
	expect(readOptions(nodeWith({ options, advanced, ...beside }))).toEqual({
		...options,
		...advanced,
		...beside,
	});
});

test.each([
	['TRUE', true],
	['false', false],
	[0, false],
	[null, false],
	['perhaps', false],
])('an expression may give %j for a switch', (verify, expected) => {
	expect(readOptions(nodeWith({ advanced: { verify } })).verify).toBe(expected);
});

test.each([
	[{ hasAttachments: 'TRUE' }, true],
	[{ hasAttachments: 'no' }, false],
	// No email is lost.
	[{ hasAttachments: null }, undefined],
	[{}, undefined],
])('of %j the filter is read', (filters, expected) => {
	expect(readFilters(nodeWith({ filters })).hasAttachments).toBe(expected);
});

test.each([
	[' https://gateway.example/in\n', 'https://gateway.example/in'],
	['  ', ''],
	[null, ''],
])('blanks around a Delivery URL are ignored: %j', (deliveryUrl, meant) => {
	expect(readOptions(nodeWith({ advanced: { deliveryUrl } })).deliveryUrl).toBe(meant);
});

test('an unknown text format is plain text', () => {
	expect(readOptions(nodeWith({ options: { textFormat: 'perhaps' } })).textFormat).toBe('plain');
});

test('the time between two checks is never negative', () => {
	expect(readOptions(nodeWith({ advanced: { checkEvery: -5 } })).checkEvery).toBe(0);
});

test('an unknown value of Sender Check requires the check', () => {
	expect(readOptions(nodeWith({ senderCheck: 'strict' })).senderCheck).toBe('require');
});
