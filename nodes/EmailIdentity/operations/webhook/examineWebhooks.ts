import type { IDataObject } from 'n8n-workflow';

import type { Entry } from '../../api/data/json';
import { maskSecrets, maskUrlSecret } from '../../api/failures/redaction';
import {
	isSameId,
	readField,
	toIdentity,
	toWebhook,
	type Identity,
	type Webhook,
} from '../../api/data/resources';
import { isPrivateHost } from '../../api/data/webhookUrl';
import { parseUrl } from '../../../../lib/basics';
import { lookUpIdentity } from '../../shared/identityLookup';
import type { Examined } from '../auditReport';
import { findingsOf } from '../findings';
import { setupLookup, type IdentitySetup } from '../identitySetup';
import type { Item } from '../operation';
import { duplicatesAmong } from './duplicateWebhooks';
import { ownTriggers, type OwnTriggers, type TriggerAnswer } from './ownTriggers';
import {
	WEBHOOK_RULES,
	type AuditedWebhook,
	type Restriction,
	type WebhookToAudit,
} from './webhookRules';

/** Finds the problems of each webhook that the service lists. */
export async function examineWebhooks(item: Item): Promise<Array<Examined<IDataObject>>> {
	const webhooks = await findFacts(item);
	return webhooks.map(toExamined);
}

/** Finds out what the rules need to know of each webhook. */
async function findFacts(item: Item): Promise<AuditedWebhook[]> {
	const { service } = item;
	const { allowPrivateWebhookUrls } = await service.credential();
	const entries = await service.listWebhooks();
	const webhooks = entries.map((entry) => toWebhookToAudit(entry, allowPrivateWebhookUrls));
	const [ownerId, triggers] = await Promise.all([service.ownerId(), ownTriggers(item)]);
	const isDuplicate = duplicatesAmong(webhooks.filter(isActive));

	async function findFactsOf(webhook: WebhookToAudit): Promise<AuditedWebhook> {
		// First, because the time for all triggers is limited.
		const answer = await answerOf(triggers, webhook);
		const restriction = await restrictionOf(item, webhook);
		return {
			...webhook,
			...restriction,
			answer,
			isDuplicate: isActive(webhook) && isDuplicate(webhook),
			isForTests: triggers.isForTests(webhook.url),
			isOfOther: webhook.ownerId !== null && !isSameId(webhook.ownerId, ownerId),
		};
	}

	return await Promise.all(webhooks.map(findFactsOf));
}

function toWebhookToAudit(entry: Entry, allowsPrivate: boolean): WebhookToAudit {
	const webhook = toWebhook(entry);
	const host = parseUrl(webhook.url)?.hostname;
	return {
		...webhook,
		showsEvents: Array.isArray(readField(entry, 'events')),
		isPrivate: host !== undefined && isPrivateHost(host),
		allowsPrivate,
	};
}

/** Also true if the service does not show the state. */
function isActive({ enabled }: Webhook): boolean {
	return enabled !== false;
}

async function answerOf(
	triggers: OwnTriggers,
	webhook: Webhook,
): Promise<TriggerAnswer | undefined> {
	if (!isActive(webhook)) return undefined;
	return await triggers.check(webhook.url);
}

/** The list may lack identities that other users share, so these are read one by one. */
async function restrictionOf(item: Item, { identityId }: Webhook): Promise<Restriction> {
	if (identityId === null) return {};
	const { byId, setupOf } = await listedIdentities(item);
	const identity = byId.get(identityId.toLowerCase());
	if (identity === undefined) {
		const ask = async () => await lookUpIdentity(item.service, identityId);
		return { identity: await item.cache.once(`identity ${identityId}`, ask) };
	}
	const { setup, domain } = setupOf(identity);
	const isReceivingOff = setup === 'addressOfDomain' && domain?.incomingDomain === false;
	return { identity: { identity }, isReceivingOff };
}

interface ListedIdentities {
	/** Keys: IDs in lower case. */
	byId: ReadonlyMap<string, Identity>;
	setupOf(identity: Identity): IdentitySetup;
}

async function listedIdentities({ service, cache }: Item): Promise<ListedIdentities> {
	return await cache.once('identities', async () => {
		const identities = (await service.listIdentities()).map(toIdentity);
		const byId = new Map(identities.map((identity) => [identity.id.toLowerCase(), identity]));
		return { byId, setupOf: setupLookup(identities) };
	});
}

/** The secrets of a webhook are masked, because executions are saved and read by others. */
function toExamined(webhook: AuditedWebhook): Examined<IDataObject> {
	const { enabled, id } = webhook;
	const description = webhook.description && maskSecrets(webhook.description);
	const url = maskUrlSecret(webhook.url);
	return {
		name: description ?? url,
		found: findingsOf(WEBHOOK_RULES, webhook),
		toResult: ({ healthy, summary, findings }) => ({
			healthy,
			summary,
			description,
			url,
			enabled,
			findings: findings as unknown as IDataObject[],
			id,
		}),
	};
}
