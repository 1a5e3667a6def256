import type { INodeParameters } from 'n8n-workflow';

import { chosen, run, sandbox, useSandbox } from './support/operation';

const URL_OF_HOOK = 'https://receiver.example/hook';

const MASKED = `${URL_OF_HOOK}?token=***`;
const ID = '1f0c8a52-6c0e-4f0b-9d5e-2a4f7c3b9e11';

const ONE_IDENTITY = { url: URL_OF_HOOK, webhookId: chosen(ID), identityId: chosen(ID) };
const updating = (updateFields: INodeParameters) => ({ webhookId: chosen(ID), updateFields });

useSandbox();

/** Each error: its message, and what its description says to do. */
const CASES: Array<[string, INodeParameters, RegExp]> = [
	['webhook create', { url: '=' }, /^The 'URL' is empty/],
	['webhook create', { url: '=https://10.0.0.7/hook' }, /private or reserved address.*credential/],
	['webhook create', { url: URL_OF_HOOK, events: '={{ [] }}' }, /^No event is selected/],
	[
		'webhook create',
		{ url: URL_OF_HOOK, events: '={{ ["message.sent"] }}' },
		/not support the event message\.sent/,
	],
	['webhook create', { url: MASKED }, /masked.*Simplify/],
	['webhook upsert', { url: MASKED }, /masked.*Simplify/],
	['webhook update', updating({ url: MASKED }), /masked.*Simplify/],
	['webhook update', updating({}), /nothing to update.*'Update Fields'.*'Receive For'/],
	// A guess might remove a restriction.
	[
		'webhook create',
		{ ...ONE_IDENTITY, receiveFor: '={{ "unchanged" }}' },
		/Receive For.*all, one/,
	],
	['webhook upsert', { ...ONE_IDENTITY, receiveFor: '={{ null }}' }, /Receive For.*all, one/],
	['webhook update', { ...ONE_IDENTITY, receiveFor: '={{ "ALL" }}' }, /Receive For.*all, one/],
	['identity getAll', { limit: '={{ 0 }}' }, /^'Limit'/],
	['identity getAll', { limit: '={{ 1.5 }}' }, /^'Limit'/],
	['identity getAll', { limit: '={{ "many" }}' }, /^'Limit'/],
	['identity get', { identityId: chosen('={{ "" }}') }, /^No valid identity is selected/],
	['identity get', { identityId: chosen('={{ ["a"] }}') }, /^No valid identity is selected/],
	['identity get', { identityId: chosen('={{ ".." }}') }, /not a valid identity ID/],
	['message get', { messageId: '={{ "" }}' }, /not a valid message ID/],
	['message parse', { source: 'text', rawEmail: '={{ ({}) }}' }, /^'Raw Email' is not a text/],
	['identity audit', { auditOptions: { staleAfterDays: 'a week' } }, /^'Stale After Days'/],
	[
		'identity audit',
		{ auditOptions: { checkDns: true, dnsResolver: 'http://dns.elsewhere.net/dns-query' } },
		/^The URL .* in 'DNS Resolver' .*https/,
	],
];

test.each(CASES)(
	'%s with %j is an error before any request',
	async (name, parameters, expected) => {
		const { error } = await run(name, parameters);

		expect(error).toMatchObject({ context: { itemIndex: 0 } });
		expect(`${error?.message}. ${error?.description}`).toMatch(expected);
		expect(sandbox.requests()).toEqual([]);
	},
);
