import {
	advanced,
	options,
	readFilters,
	readCommonParameters,
} from '../../../../nodes/EmailIdentity/trigger/settings/collections';
import type {
	CommonParameters,
	ParameterContext,
} from '../../../../nodes/EmailIdentity/trigger/settings/settings';

type Parameters = Record<string, unknown>;

const nodeWith = (parameters: Parameters): ParameterContext => ({
	getNodeParameter: (name, fallback) => parameters[name] ?? fallback,
});

const FIELDS = [...options.options, ...advanced.options];

test('a setting that was not added has the default of its field; a switch is off', () => {
	const expected = FIELDS.map(({ name, type, default: offered }) => [
		name,
		type === 'boolean' ? false : offered,
	]);
	expect(readCommonParameters(nodeWith({}))).toEqual({
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
	const someOptions = {
		attachmentPrefix: 'file',
		ignoreDuplicates: 'off',
		includeHeaders: true,
		includeRawEmail: true,
		removeQuotedText: true,
		textFormat: 'markdown',
	};
	const someAdvanced = {
		checkEvery: 60,
		deliveryUrl: 'https://gateway.example/in',
		dnsResolver: 'https://dns.example.com/dns-query',
		onDeactivation: 'delete',
		trustedServers: 'mx.example.com',
		verify: true,
	};
	const beside = { senderCheck: 'add', useSampleEmail: true };
	const parameters = { options: someOptions, advanced: someAdvanced, ...beside };
	expect(readCommonParameters(nodeWith(parameters))).toEqual({
		...someOptions,
		...someAdvanced,
		...beside,
	});
});

test.each<[Parameters, Partial<CommonParameters>]>([
	[{ advanced: { verify: 'TRUE' } }, { verify: true }],
	[{ advanced: { verify: 0 } }, { verify: false }],
	[{ advanced: { verify: 'perhaps' } }, { verify: false }],
	[
		{ advanced: { deliveryUrl: ' https://gateway.example/\n' } },
		{ deliveryUrl: 'https://gateway.example/' },
	],
	[{ advanced: { deliveryUrl: '  ' } }, { deliveryUrl: '' }],
	[{ advanced: { checkEvery: -5 } }, { checkEvery: 0 }],
	[{ advanced: { checkEvery: 'often' } }, { checkEvery: 15 }],
	[{ options: { ignoreDuplicates: 'perhaps' } }, { ignoreDuplicates: 'sameEmail' }],
	[{ options: 'perhaps' }, { attachmentPrefix: 'attachment_' }],
	[{ senderCheck: 'strict' }, { senderCheck: 'require' }],
])('%j, perhaps from an expression, is read as %j', (parameters, expected) => {
	expect(readCommonParameters(nodeWith(parameters))).toMatchObject(expected);
});

test.each([
	[{ hasAttachments: 'TRUE' }, { hasAttachments: true }],
	[{ hasAttachments: 'no' }, { hasAttachments: false }],
	[{ hasAttachments: 'perhaps' }, { hasAttachments: null }],
	[
		{ from: undefined, to: null, subject: 2026 },
		{ from: '', to: '', subject: '2026' },
	],
	[{}, {}],
])('of %j, the filters that were added are read', (filters, expected) => {
	expect(readFilters(nodeWith({ filters }))).toStrictEqual(expected);
});
