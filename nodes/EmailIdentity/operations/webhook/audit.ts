import type { IDataObject } from 'n8n-workflow';

import type { Entry } from '../../api/json';
import { maskSecrets, maskUrlSecret } from '../../api/redaction';
import {
	isSameId,
	readField,
	toIdentity,
	toWebhook,
	type Identity,
	type Webhook,
} from '../../api/resources';
import { canonicalUrl, parseUrl } from '../../../../lib/basics';
import { isPrivateHost } from '../../api/webhookUrl';
import { isTriggerUrl } from '../../shared/secret';
import { EVENT_NAMES, isTriggerDescription, normalizeEventName } from '../../shared/webhooks';
import { isDomainIdentity, lookUpIdentity, type IdentityLook } from '../../shared/identities';
import {
	findingsOf,
	inSentence,
	readReportOptions,
	report,
	auditOptionsField,
	type AuditRules,
	type Examined,
	type Severity,
} from '../auditReport';
import { setupLookup, type IdentitySetup } from '../identitySetup';
import type { Item, Operation } from '../runOperation';
import { ownTriggers, type OwnTriggers, type TriggerAnswer } from './ownTriggers';

/** A webhook as the service lists it, with what its URL shows. */
interface WebhookToAudit extends Webhook {
	/** Whether the service shows the events of the webhook. */
	showsEvents: boolean;
	/** Whether the URL is in a private network. */
	isPrivate: boolean;
	/** Whether the credential allows such URLs. */
	allowsPrivate: boolean;
}

/** What is known of the identity that a webhook is restricted to. */
interface Restriction {
	/** The identity, or why it cannot be used; absent if the webhook is for all identities. */
	identity?: IdentityLook;
	/** Whether the service receives no mail for the identity; absent if it is not known. */
	isReceivingOff?: boolean;
}

interface AuditedWebhook extends WebhookToAudit, Restriction {
	/** Whether another webhook delivers the same events to the same URL; false if this one is paused. */
	isDuplicate: boolean;
	/** The answer of one of this n8n's own triggers; undefined for other webhooks and if this one is paused. */
	answer: TriggerAnswer | undefined;
	/** Whether it has the secret that this n8n derives for test events. */
	isForTests: boolean;
	/** Whether it belongs to another user. */
	isOfOther: boolean;
}

const RULES: AuditRules<AuditedWebhook> = {
	error: {
		identityMissing: ({ identity }) =>
			identity &&
			'problem' in identity &&
			`${identity.problem.message}. ${identity.problem.description}`,
		noSupportedEvent({ events, showsEvents }) {
			const isSupported = (event: string) => EVENT_NAMES.includes(normalizeEventName(event));
			if (!showsEvents || events.some(isSupported)) return undefined;
			let cause = 'the webhook has no events';
			if (events.length > 0) {
				const names = inSentence(events.join(', '));
				cause = `it supports none of the webhook's events (${names})`;
			}
			return `The service delivers nothing, because ${cause}. Change the events of the webhook.`;
		},
		notPublished: ({ answer }) =>
			answer?.fault === 'notPublished' &&
			'No published workflow in this n8n uses the webhook, so its events are lost. Publish the workflow, or delete the webhook.',
		redirected: ({ answer }) =>
			answer?.fault === 'redirected' &&
			`n8n's public URL redirects requests (status ${answer.status}), and services do not follow redirects. Set N8N_WEBHOOK_URL (WEBHOOK_URL in older versions of n8n) to the final URL, or correct the proxy in front of n8n.`,
		certificateNotTrusted: ({ answer }) =>
			answer?.fault === 'certificateNotTrusted' &&
			"The certificate of n8n's public URL is not trusted, so services do not deliver to it. Renew it, or use a certificate from a public authority.",
		unexpectedAnswer: ({ answer }) =>
			answer?.fault === 'unexpectedAnswer' &&
			`The trigger's URL answers with status ${answer.status} instead of 401. Check the proxy or gateway in front of n8n, and n8n's log.`,
	},
	warning: {
		paused: ({ enabled }) =>
			enabled === false &&
			'The webhook is paused, so nothing is delivered. Publish its workflow or resume the webhook, or delete it if it is no longer needed.',
		restrictedToDomain: ({ identity }) =>
			identity &&
			'identity' in identity &&
			isDomainIdentity(identity.identity) &&
			'The webhook is restricted to a domain, and some services deliver only for addresses. Restrict it to an address, or remove the restriction.',
		receivingOff: ({ isReceivingOff }) =>
			isReceivingOff &&
			'The service receives no mail for the identity that the webhook is restricted to. Turn on receiving for its domain in the service, or choose another identity.',
		duplicate: ({ isDuplicate }) =>
			isDuplicate &&
			'Another webhook delivers the same events to the same URL, so each email arrives twice. Delete one of them.',
		otherOwner: ({ isOfOther, ownerId }) =>
			isOfOther &&
			`The webhook belongs to another user (${inSentence(ownerId)}), whose emails it may deliver. Create it again with your own API key, or ask the owner.`,
		urlChanged: ({ description, enabled, url }) =>
			enabled !== false &&
			isTriggerDescription(description ?? '') &&
			!isTriggerUrl(url) &&
			`An Email Identity Trigger made the webhook, but someone changed its URL in the service: it delivers to ${inSentence(parseUrl(url)?.host ?? 'an invalid URL')}. If nobody wants this, delete it: the trigger does not change it.`,
		leftFromTest: ({ isForTests }) =>
			isForTests &&
			'The webhook is for test events of a trigger in this n8n. Unless someone is listening right now, delete it: n8n refuses its deliveries.',
		privateNetwork: ({ isPrivate, allowsPrivate }) =>
			isPrivate &&
			!allowsPrivate &&
			"The URL is in a private network, to which some services never deliver. For Kurrier's fork, its operator must set OUTBOUND_ALLOW_PRIVATE_NETWORKS=true.",
	},
	info: {
		privateNetwork: ({ isPrivate, allowsPrivate }) =>
			isPrivate &&
			allowsPrivate &&
			"The URL is in a private network, which the credential allows. If nothing arrives, the service may refuse such URLs: for Kurrier's fork, its operator must set OUTBOUND_ALLOW_PRIVATE_NETWORKS=true.",
		notReachable: ({ answer }) =>
			answer?.fault === 'notReachable' &&
			'This n8n cannot reach its own public URL, so the trigger was not checked. This is normal in some networks. Check the URL from outside.',
	},
};

/** A service may refuse a private URL that the credential allows, so that notes are shown. */
const DEFAULT_SEVERITY: Severity = 'info';

/**
 * Checks the webhooks that the service lists, and whether this n8n's own triggers answer. It changes no webhook and starts no
 * workflow.
 */
export const auditWebhooks: Operation = {
	name: 'Audit',
	value: 'audit',
	description: 'Check whether each webhook can receive events',
	action: 'Audit webhooks',
	fields: [auditOptionsField('webhooks', DEFAULT_SEVERITY)],
	async execute(item) {
		const options = readReportOptions(item, DEFAULT_SEVERITY);
		const webhooks = await examine(item);
		return report(webhooks.map(toExamined), options);
	},
};

/** The secrets of a webhook are masked, because executions are saved and read by others. */
function toExamined(webhook: AuditedWebhook): Examined<IDataObject> {
	const { enabled, id } = webhook;
	const description = webhook.description && maskSecrets(webhook.description);
	const url = maskUrlSecret(webhook.url);
	return {
		name: description ?? url,
		found: findingsOf(RULES, webhook),
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

async function examine(item: Item): Promise<AuditedWebhook[]> {
	const { service } = item;
	const { allowPrivateWebhookUrls } = await service.credential();
	const entries = await service.listWebhooks();
	const webhooks = entries.map((entry) => toWebhookToAudit(entry, allowPrivateWebhookUrls));
	const [ownerId, triggers] = await Promise.all([service.ownerId(), ownTriggers(item)]);
	const isDuplicate = duplicatesAmong(webhooks.filter(isActive));

	async function examineOne(webhook: WebhookToAudit): Promise<AuditedWebhook> {
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

	return await Promise.all(webhooks.map(examineOne));
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

async function answerOf(
	triggers: OwnTriggers,
	webhook: Webhook,
): Promise<TriggerAnswer | undefined> {
	if (!isActive(webhook)) return undefined;
	return await triggers.check(webhook.url);
}

const isActive = ({ enabled }: Webhook): boolean => enabled !== false;

/** Webhooks with one URL may be for different identities. Takes linear time. */
export function duplicatesAmong(webhooks: readonly Webhook[]): (webhook: Webhook) => boolean {
	/** How many webhooks deliver to an address, for any identity. */
	const ofAddress = new Counter();
	/** How many webhooks deliver to an address for one identity, or for all. */
	const ofPlace = new Counter();
	for (const { url, identityId } of webhooks) {
		const address = canonicalUrl(url);
		ofAddress.add(address);
		ofPlace.add(placeKey(address, identityId));
	}
	return ({ url, identityId }) => {
		const address = canonicalUrl(url);
		const forAll = placeKey(address, null);
		const same = placeKey(address, identityId);
		if (same === forAll) return ofAddress.count(address) > 1;
		return ofPlace.count(forAll) + ofPlace.count(same) > 1;
	};
}

class Counter {
	private readonly counts = new Map<string, number>();

	add(key: string): void {
		this.counts.set(key, this.count(key) + 1);
	}

	count(key: string): number {
		return this.counts.get(key) ?? 0;
	}
}

function placeKey(address: string, identityId: string | null): string {
	return `${address} ${identityId?.toLowerCase() ?? ''}`;
}

/** The list may lack identities that other users share, so these are read one by one. */
async function restrictionOf(item: Item, { identityId }: Webhook): Promise<Restriction> {
	if (identityId === null) return {};
	const { byId, lookUp } = await listedIdentities(item);
	const identity = byId.get(identityId.toLowerCase());
	if (identity === undefined) {
		const ask = async () => await lookUpIdentity(item.service, identityId);
		return { identity: await item.cache.once(`identity ${identityId}`, ask) };
	}
	const { setup, domain } = lookUp(identity);
	const isReceivingOff = setup === 'addressOfDomain' && domain?.incomingDomain === false;
	return { identity: { identity }, isReceivingOff };
}

interface ListedIdentities {
	/** By the ID in lower case. */
	byId: ReadonlyMap<string, Identity>;
	lookUp(identity: Identity): IdentitySetup;
}

async function listedIdentities({ service, cache }: Item): Promise<ListedIdentities> {
	return await cache.once('identities', async () => {
		const identities = (await service.listIdentities()).map(toIdentity);
		const byId = new Map(identities.map((identity) => [identity.id.toLowerCase(), identity]));
		return { byId, lookUp: setupLookup(identities) };
	});
}
