import type { INodeProperties } from 'n8n-workflow';

/** What is done with the check of the sender: nothing, add its result, or start only for senders that pass. */
export type SenderCheck = 'off' | 'add' | 'require';

const CHOICES: Record<SenderCheck, { name: string; description: string }> = {
	off: { name: 'Off', description: 'Do not check the sender' },
	add: { name: 'Add Result', description: 'Add the result as delivery.authentication' },
	require: {
		name: 'Require',
		description: 'Start the workflow only if the check passes, so that From cannot be forged',
	},
};

/**
 * The field for the check of the sender's signature (DKIM).
 *
 * @param values that are offered in this place
 */
export const senderCheckField = (values: SenderCheck[]): INodeProperties => ({
	displayName: 'Sender Check',
	name: 'senderCheck',
	type: 'options',
	noDataExpression: true,
	options: values.map((value) => ({ ...CHOICES[value], value })),
	default: 'off',
	description: 'Check by the signature (DKIM) that an email comes from the domain in its From',
	hint: "Looks up the sender's public keys in the DNS",
});

/** Reads the field; an unknown value, as in a workflow that was edited by hand, requires the check. */
export function readSenderCheck(value: unknown): SenderCheck {
	return value === 'off' || value === 'add' ? value : 'require';
}

export const trustedServersField = (place: Partial<INodeProperties>): INodeProperties => ({
	displayName: 'Trusted Mail Servers',
	name: 'trustedServers',
	type: 'string',
	default: '',
	placeholder: 'e.g. mx.example.com',
	description:
		'Your own mail servers whose Authentication-Results header is trusted, by the name in that header',
	hint: 'Comma-separated. Only servers that remove such headers from incoming mail.',
	...place,
});
