import { NodeOperationError, type IDataObject } from 'n8n-workflow';

import type { NewWebhook, WebhookChanges } from '../../api/types';
import { webhookUrlProblem } from '../../api/webhookUrl';
import { readIdentityId } from '../fields/identityLocator';
import type { Session } from '../session';
import { readEvents } from './events';

/**
 * Checks an address that events are to be sent to.
 *
 * @param given what the user entered; blanks around it are forgiven
 * @throws NodeOperationError with the reason why nothing can be delivered there (contract, section 8)
 */
export async function checkUrl(
	{ context, credential }: Session,
	given: unknown,
	itemIndex: number,
): Promise<string> {
	const url = String(given ?? '').trim();
	const { allowPrivateWebhookUrls } = await credential();
	const problem = url === '' ? 'is empty' : webhookUrlProblem(url, allowPrivateWebhookUrls);
	if (problem === undefined) return url;
	throw new NodeOperationError(context.getNode(), `The URL ${problem}`, {
		itemIndex,
		description:
			'The service delivers to public HTTPS addresses. If it runs on the same network as n8n, turn on Allow Private Webhook URLs in the credential.',
	});
}

/** What the Receive For fields ask for: an identity's ID, null for all identities, undefined for no change. */
export function readReceiveFor({ context }: Session, itemIndex: number): string | null | undefined {
	const receiveFor = context.getNodeParameter('receiveFor', itemIndex, 'all') as string;
	if (receiveFor === 'one') return readIdentityId(context, itemIndex);
	return receiveFor === 'all' ? null : undefined;
}

/** How each field of a collection is read; what is not in the collection is left alone. */
const OPTIONAL_FIELDS: Record<
	string,
	(session: Session, value: unknown, itemIndex: number) => unknown
> = {
	url: checkUrl,
	events: ({ context }, value, itemIndex) => readEvents(context, value, itemIndex),
	enabled: (_session, value) => value === true || value === 'true',
	description: (_session, value) => String(value ?? ''),
};

/**
 * Reads a collection of optional webhook fields: only those that the user added.
 *
 * @param name the collection's name
 */
export async function readCollection(
	session: Session,
	name: string,
	itemIndex: number,
): Promise<WebhookChanges> {
	const given = session.context.getNodeParameter(name, itemIndex, {}) as IDataObject;
	const changes: Record<string, unknown> = {};
	for (const [field, read] of Object.entries(OPTIONAL_FIELDS)) {
		const value = given[field];
		if (value !== undefined) changes[field] = await read(session, value, itemIndex);
	}
	return changes;
}

/** What the fields of Create, and of Create or Update, describe, except the owner. */
export async function readNewWebhook(
	session: Session,
	itemIndex: number,
): Promise<Omit<NewWebhook, 'ownerId'>> {
	const { context } = session;
	const identityId = readReceiveFor(session, itemIndex) ?? undefined;
	return {
		url: await checkUrl(session, context.getNodeParameter('url', itemIndex, ''), itemIndex),
		events: readEvents(context, context.getNodeParameter('events', itemIndex, []), itemIndex),
		...(identityId === undefined ? {} : { identityId }),
		...((await readCollection(session, 'additionalFields', itemIndex)) as Pick<
			NewWebhook,
			'enabled' | 'description'
		>),
	};
}
