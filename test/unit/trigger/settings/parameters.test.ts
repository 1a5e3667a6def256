import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { EmailIdentityTrigger } from '../../../../nodes/EmailIdentity/EmailIdentityTrigger.node';
import {
	readDeliveryParameters,
	triggerParameters,
} from '../../../../nodes/EmailIdentity/trigger/settings/parameters';

const { displayParameter } = NodeHelpers;

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

function shown(values: INodeParameters, fields: INodeProperties[]): string[] {
	const { description } = new EmailIdentityTrigger();
	const node = { typeVersion: description.version as number };
	return fields
		.filter(({ type }) => type !== 'hidden')
		.filter((field) => displayParameter(values, field, node, description, values))
		.map(({ name }) => name);
}

const COLLECTIONS = triggerParameters.filter(({ type }) => type === 'collection');

test.each([
	['off', 0],
	['add', 2],
	['require', 2],
])('with Sender Check %s, the panel offers %i settings for it', (senderCheck, count) => {
	const fields = COLLECTIONS.flatMap(({ options = [] }) => options as INodeProperties[]);
	const names = shown({ senderCheck, simplify: true }, fields);

	expect(names.filter((name) => /trustedServers|dnsResolver/.test(name))).toHaveLength(count);
});

test('n8n evaluates no expression at a delivery, and the panel shows the webhook URL', () => {
	const { webhooks = [], version } = new EmailIdentityTrigger().description;
	const values = webhooks.flatMap((webhook) => Object.values(webhook));

	expect(webhooks).toHaveLength(1);
	expect(values.filter((value) => String(value).startsWith('='))).toEqual([]);
	expect(webhooks[0]?.ndvHideUrl).toBeUndefined();
	// For a node of version 1, n8n always evaluates one.
	expect(version).toBeGreaterThanOrEqual(2);
});

test('n8n answers when it has recorded the execution, and takes the body from the delivery', () => {
	const { webhooks } = new EmailIdentityTrigger().description;

	expect(webhooks).toMatchObject([{ responseMode: 'onReceived', responseData: '' }]);
});
