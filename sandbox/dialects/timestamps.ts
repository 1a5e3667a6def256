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

/** When a resource was made and last changed, as the dialect tells it. */
export function presentTimes(
	{ createdAt, updatedAt }: { createdAt: string; updatedAt: string },
	dialect: Pick<Dialect, 'timestamps' | 'updatedAt'>,
): { createdAt: string; updatedAt: string } {
	const changed = dialect.updatedAt === 'never' ? createdAt : updatedAt;
	return {
		createdAt: presentTime(createdAt, dialect.timestamps),
		updatedAt: presentTime(changed, dialect.timestamps),
	};
}
