import { readDeliveryParameters } from '../../../nodes/EmailIdentity/trigger/parameters';

const read = (parameters: Record<string, unknown>) =>
	readDeliveryParameters({ getNodeParameter: (name, fallback) => parameters[name] ?? fallback });

test.each([
	[[], []],
	[['spam', 'other'], ['spam']],
	['lists, spam', ['lists', 'spam']],
	[undefined, ['drafts', 'sent', 'spam', 'trash']],
	[{ spam: true }, ['drafts', 'sent', 'spam', 'trash']],
])('Ignore with %j, perhaps from an expression, is read as %j', (ignore, expected) => {
	expect(read({ ignore }).ignore).toEqual(expected);
});

test.each(['email', 'attachments', undefined])(
	'Output with %j returns one item per email',
	(output) => {
		expect(read({ output }).output).toBe('email');
	},
);
