import type { Line } from './host';
import { RestError } from './session';
import type { Session } from './session';
import { GiveUp, until } from './until';

const PUBLICATION_TIMEOUT_MS = 120_000;

/** n8n could not switch a workflow on; the message is what it shows the user. */
export class ActivationFailed extends Error {
	override name = 'ActivationFailed';
}

/** How a line of n8n switches workflows on and off. */
interface Publication {
	activate(session: Session, id: string, versionId: string): Promise<void>;
	deactivate(session: Session, id: string, versionId: string): Promise<void>;
	/** waits until what archiving or deactivating set off is done */
	settled(session: Session, id: string): Promise<void>;
}

interface PublicationStatus {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	triggers: { nodeId: string; status: string; errorMessage: string | null }[];
}

/** On 1.x the answer comes when all is done. */
const atOnce: Publication = {
	async activate(session, id, versionId) {
		await asActivationFailure(() => patchActive(session, id, true, versionId));
	},
	async deactivate(session, id, versionId) {
		await patchActive(session, id, false, versionId);
	},
	async settled() {},
};

/** On 2.x the answer comes first, and how far the work has got is asked for; in its earlier releases all is done by then. */
const byOutbox: Publication = {
	async activate(session, id, versionId) {
		await asActivationFailure(() =>
			session.call('POST', `/rest/workflows/${id}/activate`, { versionId }),
		);
		await until(
			async () => {
				const { status, triggers } = await statusOf(session, id);
				if (status === 'failed' || status === 'partial') {
					const reasons = triggers.map(({ errorMessage }) => errorMessage).filter(Boolean);
					throw new GiveUp(new ActivationFailed(reasons.join('; ')));
				}
				return status === 'published';
			},
			{ describe: `workflow ${id} is published`, timeout: PUBLICATION_TIMEOUT_MS },
		);
	},
	async deactivate(session, id) {
		await session.call('POST', `/rest/workflows/${id}/deactivate`, {});
		await byOutbox.settled(session, id);
	},
	async settled(session, id) {
		await until(async () => (await statusOf(session, id)).status !== 'in_progress', {
			describe: `workflow ${id} is no longer being unpublished`,
			timeout: PUBLICATION_TIMEOUT_MS,
		});
	},
};

const publications: Record<Line, Publication> = { '1': atOnce, '2': byOutbox };

/** How this line switches workflows on and off. */
export function publicationOf(line: Line): Publication {
	return publications[line];
}

/** Where 2.x has got with publishing a workflow. */
export async function publicationStatus(session: Session, id: string): Promise<PublicationStatus> {
	return await session.call('GET', `/rest/workflows/${id}/publication-status`);
}

const DONE: PublicationStatus = { status: 'published', triggers: [] };

async function statusOf(session: Session, id: string): Promise<PublicationStatus> {
	try {
		return await publicationStatus(session, id);
	} catch (error) {
		if (error instanceof RestError && error.status === 404) return DONE;
		throw error;
	}
}

async function patchActive(session: Session, id: string, active: boolean, versionId: string) {
	await session.call('PATCH', `/rest/workflows/${id}`, { active, versionId });
}

async function asActivationFailure(activate: () => Promise<unknown>): Promise<void> {
	try {
		await activate();
	} catch (error) {
		if (error instanceof RestError) throw new ActivationFailed(error.message);
		throw error;
	}
}
