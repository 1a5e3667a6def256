import { restoreWindows1252 } from './windows1252';

// An encoded word may hide line breaks, which would start a new header wherever the value is used again.
const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]+/gu;

/** A header's value on one line, without surrounding blanks. */
export function oneLine(value: string): string {
	return restoreWindows1252(value).replace(CONTROL_CHARACTERS, ' ').trim();
}
