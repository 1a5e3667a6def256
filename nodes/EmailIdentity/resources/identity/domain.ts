import type { Identity } from '../../api/types';

/** The domain of an identity in lower case: what follows the `@` of an address, or the domain itself. */
export function domainOf({ value }: Identity): string {
	return (value ?? '').slice((value ?? '').lastIndexOf('@') + 1).toLowerCase();
}
