/** Results of a complete run of tests in a real n8n. */
export interface CompleteRun {
	passed: number;
	failed: number;
	/** such as 2026-11-21 */
	date: string;
}

/** One release of n8n, and its runs. */
export interface TestedRelease {
	/** the version */
	n8n: string;
	/** the version of Node.js that ran it */
	node: string;
	/** the basics: `test/compat` */
	compat?: CompleteRun;
	/** everything: `test/e2e` */
	e2e?: CompleteRun;
}

/** @param releases by their names in `test/hosts` */
export function compatibilityTable(releases: Record<string, TestedRelease>): string;

/**
 * Puts a table between the two marks of a page.
 *
 * @throws Error when the page has no marks
 */
export function withCompatibilityTable(page: string, table: string): string;
