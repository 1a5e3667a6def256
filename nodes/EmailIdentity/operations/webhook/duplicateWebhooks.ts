import type { Webhook } from '../../api/data/resources';
import { canonicalUrl } from '../../../../lib/basics';

/**
 * Finds webhooks that deliver to the same URL for the same identity, or for all. Webhooks with one URL may be for different
 * identities. A service may not show their URLs. Takes linear time.
 */
export function duplicatesAmong(webhooks: readonly Webhook[]): (webhook: Webhook) => boolean {
	const perAddress = toCounts(webhooks.map(({ url }) => canonicalUrl(url)));
	const perPlace = toCounts(webhooks.map(({ url, identityId }) => placeOf(url, identityId)));

	return ({ url, identityId }) => {
		if (url === '') return false;
		const forAll = placeOf(url, null);
		const same = placeOf(url, identityId);
		if (same === forAll) {
			const forAny = perAddress.get(canonicalUrl(url)) ?? 0;
			return forAny > 1;
		}
		const alike = (perPlace.get(forAll) ?? 0) + (perPlace.get(same) ?? 0);
		return alike > 1;
	};
}

/** The address and the identity of a subscription; without an ID for all identities. */
function placeOf(url: string, identityId: string | null): string {
	return `${canonicalUrl(url)} ${identityId?.toLowerCase() ?? ''}`;
}

function toCounts(keys: string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
	return counts;
}
