/** The service's IDs of the emails of Use Sample Email. */
export type SampleId = 'sample-bounce' | 'sample-invoice' | 'sample-question' | 'sample-reply';

const SAMPLE_IDS: ReadonlySet<unknown> = new Set<SampleId>([
	'sample-bounce',
	'sample-invoice',
	'sample-question',
	'sample-reply',
]);

/** @param id of a message, which only the service and the trigger choose */
export function isSampleId(id: unknown): boolean {
	return SAMPLE_IDS.has(id);
}
