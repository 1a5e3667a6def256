import type { INodeProperties } from 'n8n-workflow';

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
 * @param values offered in this place
 */
export const senderCheckField = (values: SenderCheck[]): INodeProperties => ({
	displayName: 'Sender Check',
	name: 'senderCheck',
	type: 'options',
	noDataExpression: true,
	options: values.map((value) => ({ ...CHOICES[value], value })),
	default: 'off',
	description: 'Check with the signature (DKIM) that an email comes from the domain in its From',
	hint: "Looks up the sender's public keys in the DNS",
});

/** An unknown value, for example in an edited workflow, requires the check. */
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
		'Names of your own mail servers whose Authentication-Results header can be trusted, as in that header',
	hint: 'Comma-separated. Only servers that remove this header from incoming mail.',
	...place,
});
