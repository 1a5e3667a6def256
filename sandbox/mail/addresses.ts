import type { AddressObject } from 'mailparser';
import type { MessageAddresses } from '../types';

/** One address object for a header that may occur several times; `null` for one that is not there. */
export function joinAddresses(
	given: AddressObject | AddressObject[] | undefined,
): MessageAddresses | null {
	if (given === undefined) return null;
	const objects = [given].flat();
	return {
		text: objects.map(({ text }) => text).join(', '),
		html: objects.map(({ html }) => html).join(', '),
		value: objects.flatMap(({ value }) => value),
	};
}
