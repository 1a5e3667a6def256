/**
 * The contract's format, `2025-11-15 10:47:23.60418+00`, and ISO 8601 in one expression: date, blank or
 * `T`, time, an optional fraction of any length, an optional offset in hours or hours and minutes.
 */
const TIMESTAMP =
	/^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:[.,](\d+))?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/** What it becomes; a time that is written so already stays as it is. */
const RESULT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Seconds since 1970 with or without a fraction, milliseconds or microseconds, between 1973 and 5138. */
const EPOCH = /^\d{9,17}(?:\.\d{1,9})?$/;

/** What an epoch time is counted in is told by its size: no unit reaches the next one's before the year 5138. */
const LARGEST_SECONDS = 1e11;

/**
 * Brings a time of the service into ISO 8601 in UTC with milliseconds (contract, section 2.2).
 * A time without an offset counts as UTC; a number is seconds, milliseconds or microseconds since 1970.
 *
 * @returns null for null and for nothing; what is no time stays as it is, so that nothing is lost
 */
export function toIsoTime(value: unknown): string | null {
	if (typeof value === 'number') return toIsoTime(String(value));
	if (typeof value !== 'string' || value.trim() === '') return null;
	if (RESULT.test(value)) return value;
	if (EPOCH.test(value.trim())) return fromEpoch(Number(value));
	const match = TIMESTAMP.exec(value.trim());
	if (!match) return value;
	const [, date, time, fraction = '', offset = 'Z'] = match;
	const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
	const parsed = new Date(`${date}T${time}.${milliseconds}${withMinutes(offset)}`);
	return Number.isNaN(parsed.getTime()) ? value : parsed.toISOString();
}

function fromEpoch(value: number): string {
	const milliseconds = value < LARGEST_SECONDS ? value * 1000 : value;
	const isMicroseconds = milliseconds >= LARGEST_SECONDS * 1000;
	return new Date(isMicroseconds ? milliseconds / 1000 : milliseconds).toISOString();
}

function withMinutes(offset: string): string {
	if (/^z$/i.test(offset)) return 'Z';
	const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
	return `${offset[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
