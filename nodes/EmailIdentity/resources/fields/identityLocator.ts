import type { IExecuteFunctions } from 'n8n-workflow';

import { locatorField, readLocator } from './locator';

const NAME = 'identityId';

/** Points to one identity. */
export const identityLocator = /* @__PURE__ */ locatorField({
	displayName: 'Identity',
	name: NAME,
	description: 'The address or domain to use',
	searchListMethod: 'searchIdentities',
});

/**
 * The ID of the chosen identity.
 *
 * @throws NodeOperationError when there is none
 */
export function readIdentityId(context: IExecuteFunctions, itemIndex: number): string {
	return readLocator(context, NAME, itemIndex, 'identity');
}
