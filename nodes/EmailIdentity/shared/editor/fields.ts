import {
	NodeOperationError,
	type IExecuteFunctions,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { readFlag } from '../../api/data/resources';
import { isPrivateHost } from '../../api/data/webhookUrl';
import type { TextFormat } from '../../../../lib/email';
import { parseUrl } from '../../../../lib/basics';

/** The parameters of the action node for one item. */
export interface ItemParameters {
	context: IExecuteFunctions;
	/** @param fallback the value of a field that the workflow does not have; n8n throws without one */
	parameter(name: string, fallback?: unknown): unknown;
}

/**
 * n8n does not convert the value of an expression, such as `TRUE` from a spreadsheet or 1.
 *
 * @param label the switch's name in the editor
 * @throws NodeOperationError when the value is neither true nor false
 */
export function readSwitch({ context }: ItemParameters, label: string, value: unknown): boolean {
	const flag = readFlag(value);
	if (flag !== null) return flag;
	throw new NodeOperationError(context.getNode(), `'${label}' must be true or false`, {
		description: 'Set it to a fixed value, or use an expression that returns true or false.',
	});
}

/**
 * The text of a field; a number becomes text, and nothing becomes ''.
 *
 * @param label the field's name in the editor
 * @throws NodeOperationError if an expression returns an object or a list
 */
export function readTextField({ context }: ItemParameters, label: string, value: unknown): string {
	if (typeof value !== 'object') return String(value ?? '');
	if (value === null) return '';
	throw new NodeOperationError(context.getNode(), `'${label}' is not a text`, {
		description: 'Its expression returns an object or a list. Use one that returns a text.',
	});
}

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export const DEFAULT_ATTACHMENT_PREFIX = 'attachment_';

export const attachmentPrefixField: INodeProperties = {
	displayName: 'Attachment Prefix',
	name: 'attachmentPrefix',
	type: 'string',
	default: DEFAULT_ATTACHMENT_PREFIX,
	description:
		'Prefix for the names of the binary fields: attachment_ gives attachment_0, attachment_1 and so on',
};

export const removeQuotedTextField: INodeProperties = {
	displayName: 'Remove Quoted Text',
	name: 'removeQuotedText',
	type: 'boolean',
	default: true,
	description:
		'Whether to keep only the new text of a reply, without quoted emails and the signature',
};

export const textFormatField: INodeProperties = {
	displayName: 'Text Format',
	name: 'textFormat',
	type: 'options',
	options: [
		{
			name: 'Markdown',
			value: 'markdown',
			description: 'With headings, lists, links and tables, for example for a language model',
		},
		{ name: 'Plain Text', value: 'plain', description: 'As a plain email' },
	],
	default: 'plain',
	description: 'How to write the text of the email',
};

/** Plain text for an unknown value. */
export function readTextFormat(value: unknown): TextFormat {
	if (value === 'markdown') return 'markdown';
	return 'plain';
}

export type SenderCheckChoice = 'off' | 'add' | 'require';

const SENDER_CHECK_OPTIONS: Record<SenderCheckChoice, INodePropertyOptions> = {
	off: {
		name: 'Off',
		value: 'off',
		description: 'Do not check the sender',
	},
	add: {
		name: 'Add Result',
		value: 'add',
		description: 'Add the result as delivery.authentication',
	},
	require: {
		name: 'Require',
		value: 'require',
		description:
			'Start only if the domain in From signed the email, or a server that you trust confirmed it. Others at that domain can still use the name.',
	},
};

/** @param choices in the order of the drop-down */
export function senderCheckField(choices: SenderCheckChoice[]): INodeProperties {
	return {
		displayName: 'Sender Check',
		name: 'senderCheck',
		type: 'options',
		noDataExpression: true,
		options: choices.map((choice) => SENDER_CHECK_OPTIONS[choice]),
		default: 'off',
		description:
			"Check with the signature (DKIM) that an email comes from the domain in its From. Looks up the sender's public keys in the DNS.",
		builderHint: {
			propertyHint:
				'Choose require where the workflow acts on who the sender is: From can be forged. It proves the domain, not the person',
		},
	};
}

/** An unknown value, for example in an edited workflow, requires the check. */
export function readSenderCheck(value: unknown): SenderCheckChoice {
	if (value === 'off' || value === 'add') return value;
	return 'require';
}

export const trustedServersField: INodeProperties = {
	displayName: 'Trusted Mail Servers',
	name: 'trustedServers',
	type: 'string',
	default: '',
	placeholder: 'e.g. mx.example.com',
	description:
		'Names of your own mail servers whose Authentication-Results header can be trusted, as in that header, comma-separated',
	hint: 'Leave empty unless the administrator of your mail server names servers. They must remove this header from incoming mail.',
};

/** Both support HTTP/1.1, which n8n's client uses. */
export const USUAL_RESOLVERS = [
	'https://cloudflare-dns.com/dns-query',
	'https://dns.google/dns-query',
];

export const dnsResolverField: INodeProperties = {
	displayName: 'DNS Resolver',
	name: 'dnsResolver',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://dns.example.com/dns-query',
	description:
		'DNS-over-HTTPS servers, comma-separated, in order of use. Empty for Cloudflare and Google. The servers see the domains that are looked up.',
	hint: 'Leave empty unless n8n cannot reach Cloudflare and Google',
};

/** The entries of a comma-separated field; semicolons and blanks also separate. */
export function entriesIn(text: string): string[] {
	return text.split(/[\s,;]+/).filter((entry) => entry !== '');
}

export function readDnsResolvers(text: string): string[] {
	const named = entriesIn(text);
	if (named.length > 0) return named;
	return USUAL_RESOLVERS;
}

/** @returns a sentence without its full stop; undefined if the value is valid */
export function dnsResolverProblem(text: string): string | undefined {
	for (const address of readDnsResolvers(text)) {
		const problem = resolverProblem(address);
		if (problem !== undefined) return problem;
	}
	return undefined;
}

function resolverProblem(address: string): string | undefined {
	const url = parseUrl(address);
	if (!url || !/^https?:/i.test(address)) {
		return "'DNS Resolver' must be a complete URL such as https://dns.example.com/dns-query";
	}
	// Not the whole URL, which would put the password into errors and logs.
	if (url.username !== '' || url.password !== '') {
		return `The URL ${url.host} in 'DNS Resolver' must not contain a user name or password`;
	}
	if (url.protocol === 'http:' && !isPrivateHost(url.hostname)) {
		return `The URL ${url.host} in 'DNS Resolver' must start with https://. http is only allowed for servers in your own network`;
	}
	return undefined;
}
