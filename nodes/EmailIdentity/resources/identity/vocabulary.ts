import type { INodePropertyOptions } from 'n8n-workflow';

/** The kinds of identity that deployments use. */
export const IDENTITY_KINDS: INodePropertyOptions[] = [
	{ name: 'Domain', value: 'domain' },
	{ name: 'Email Address', value: 'email' },
];

/** The states that deployments were seen to use; the API does not promise that there are no others. */
export const IDENTITY_STATUSES: INodePropertyOptions[] = [
	{ name: 'Failed', value: 'failed' },
	{ name: 'Pending', value: 'pending' },
	{ name: 'Unverified', value: 'unverified' },
	{ name: 'Verified', value: 'verified' },
];

export const DOMAIN_KIND = 'domain';
export const EMAIL_KIND = 'email';
export const VERIFIED = 'verified';
export const FAILED = 'failed';
