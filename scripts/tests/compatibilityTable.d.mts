/** What a complete run of the tests in a real n8n found. */
export interface CompleteRun {
	/** the version */
	n8n: string;
	/** the version that ran it */
	node: string;
	passed: number;
	failed: number;
	/** such as 2026-11-21 */
	date: string;
}

/** @param runs by the line of n8n */
export function compatibilityTable(runs: Record<string, CompleteRun>): string;

/**
 * Puts a table between the two marks of a page.
 *
 * @throws Error when the page has no marks
 */
export function withCompatibilityTable(page: string, table: string): string;
