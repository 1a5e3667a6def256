import type { INodePropertyOptions } from 'n8n-workflow';

import type { Identity } from '../../api/types';
import { DOMAIN_KIND, EMAIL_KIND } from '../../shared/identityKinds';

export const VERIFIED = 'verified';
export const FAILED = 'failed';
export const PENDING = 'pending';
export const UNVERIFIED = 'unverified';

/** The kinds of identity that deployments use. */
export const IDENTITY_KINDS: INodePropertyOptions[] = [
	{ name: 'Domain', value: DOMAIN_KIND },
	{ name: 'Email Address', value: EMAIL_KIND },
];

/** The states that deployments were seen to use; the API does not promise that there are no others. */
export const IDENTITY_STATUSES: INodePropertyOptions[] = [
	{ name: 'Failed', value: FAILED },
	{ name: 'Pending', value: PENDING },
	{ name: 'Unverified', value: UNVERIFIED },
	{ name: 'Verified', value: VERIFIED },
];

/** Whether an identity has a status, in whichever case the deployment writes it. */
export const hasStatus = ({ status }: Identity, wanted: string): boolean =>
	status?.toLowerCase() === wanted;

/** The domain of an identity in lower case: what follows the `@` of an address, or the domain itself. */
export function domainOf({ value }: Identity): string {
	return (value ?? '').slice((value ?? '').lastIndexOf('@') + 1).toLowerCase();
}
