import { SUBSCRIPTION_MS } from '../times';
import { causeOf, TookTooLong } from './failureReports';
import { explain } from '../logLines';

/** The knowledge that the attempts of one publication share: n8n 2.x makes five. */
export interface Publication {
	/** When the first attempt began, by the clock of the checks. */
	since: number;
	attempts: number;
	/** Whether the last attempt failed. */
	hasFailed: boolean;
	/** Whether the last attempt left nothing to switch off. */
	isClean: boolean;
	/** Why no attempt can succeed; undefined as long as the next one may. */
	refusal?: Error;
	/** The last answer that said why an attempt failed; undefined if none did. */
	lastFailure?: unknown;
}

/** The publications of all trigger nodes of a process. */
export class Publications {
	/** The key is the node's static data: n8n hands the same object to all attempts of one publication, and to nothing else. */
	private readonly publications = new WeakMap<object, Publication>();

	/** @param now see `monotonicNow` */
	constructor(private readonly now: () => number) {}

	/** Begins the first attempt of a publishing, or the next one. */
	begin(staticData: object): Publication {
		const publication = this.recent(staticData) ?? {
			since: this.now(),
			attempts: 0,
			hasFailed: false,
			isClean: false,
		};
		publication.attempts++;
		publication.hasFailed = false;
		this.publications.set(staticData, publication);
		return publication;
	}

	/** The publication whose last attempt failed; undefined if n8n calls `delete` for another reason. */
	failed(staticData: object): Publication | undefined {
		const publication = this.recent(staticData);
		return publication?.hasFailed ? publication : undefined;
	}

	private recent(staticData: object): Publication | undefined {
		const publication = this.publications.get(staticData);
		if (!publication) return undefined;
		const isRecent = this.now() - publication.since < SUBSCRIPTION_MS.publication;
		return isRecent ? publication : undefined;
	}
}

/**
 * Keeps why an attempt failed.
 *
 * @returns the error for the user: at the deadline, the last answer of the service in any attempt
 */
export function rememberFailure(publication: Publication, error: unknown): unknown {
	publication.hasFailed = true;
	if (error instanceof TookTooLong) return publication.lastFailure ?? error;
	publication.lastFailure = error;
	const isLasting = causeOf(error) !== undefined;
	if (isLasting) publication.refusal = error instanceof Error ? error : new Error(explain(error));
	return error;
}
