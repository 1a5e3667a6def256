import { isDnsName } from '../lib/hosts';

/**
 * A name as it is asked for: in small letters, without the dot at its end.
 *
 * @param name ASCII (IDNA)
 * @returns undefined where no name of the DNS can be like this (RFC 1035, section 2.3.4): there is none
 */
export function toQuestionName(name: string): string | undefined {
	const asked = name.toLowerCase().replace(/\.$/, '');
	return isDnsName(asked) ? asked : undefined;
}

/**
 * A name as it stands in a record: in small letters, without the dot at its end, so that the root is an empty text.
 * Labels may hold any bytes; what is no printable ASCII is shown as `?`.
 */
export function toRecordName(name: string): string {
	return name
		.toLowerCase()
		.replace(/\.$/, '')
		.replace(/[^\x21-\x7e]/g, '?');
}
