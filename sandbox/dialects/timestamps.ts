import type { Dialect } from './dialect';

/**
 * Writes a time as the dialect does.
 *
 * @param time ISO 8601 in UTC with up to six fractional digits
 */
export function presentTime(time: string, timestamps: Dialect['timestamps']): string {
	if (timestamps === 'iso') return new Date(time).toISOString();
	// PostgreSQL's own text form: a space, no trailing zeros in the fraction, a short offset.
	return time
		.replace('T', ' ')
		.replace(/Z$/, '')
		.replace(/(\.\d*?)0+$/, '$1')
		.replace(/\.$/, '')
		.concat('+00');
}
