import { locatorField } from './locator';

/** Points to one identity. */
export const identityLocator = locatorField({
	displayName: 'Identity',
	name: 'identityId',
	description: 'The address or domain to use',
	searchListMethod: 'searchIdentities',
});
