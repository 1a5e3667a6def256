import type { IDataObject } from 'n8n-workflow';

import { maskSecrets, maskUrlSecret } from '../../api/redaction';
import { isSameId, readField, toIdentity, toWebhook, type Webhook } from '../../api/resources';
import { canonicalUrl, parseUrl } from '../../../../lib/basics';
import { isPrivateHost } from '../../api/webhookUrl';
import { isTriggerUrl } from '../../shared/secret';
import { EVENT_NAMES, isTriggerDescription, normalizeEventName } from '../../shared/webhooks';
import { isDomainIdentity, lookUpIdentity } from '../../shared/identities';
import {
	findingsOf,
	inSentence,
	readReportOptions,
	report,
	auditOptionsField,
	type AuditRules,
	type AuditVerdict,
	type Severity,
} from '../auditReport';
import { setupLookup } from '../identitySetup';
import type { Item, Operation } from '../runOperation';
import { ownTriggers } from './ownTriggers';

type AuditedWebhook = Awaited<ReturnType<typeof examine>>[number];

const RULES: AuditRules<AuditedWebhook> = {
	error: {
		identityMissing: ({ identity }) =>
			identity &&
			'problem' in identity &&
			`${identity.problem.message}. ${identity.problem.description}`,
		noSupportedEvent: ({ events, showsEvents }) =>
			showsEvents &&
			!events.some((event) => EVENT_NAMES.includes(normalizeEventName(event))) &&
			`The service delivers nothing, because ${events.length === 0 ? 'the webhook has no events' : `it supports none of the webhook's events (${inSentence(events.join(', '))})`}. Change the events of the webhook.`,
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
		const examined = (await examine(item)).map((webhook) => {
			const { enabled, id } = webhook;
			const description = webhook.description && maskSecrets(webhook.description);
			const url = maskUrlSecret(webhook.url);
			return {
				name: description ?? url,
				found: findingsOf(RULES, webhook),
				toResult: ({ healthy, summary, findings }: AuditVerdict) => ({
					healthy,
					summary,
					description,
					url,
					enabled,
					findings,
					id,
				}),
			};
		});
		return report(examined, options) as unknown as IDataObject[];
	},
};

async function examine(item: Item) {
	const { service } = item;
	const { allowPrivateWebhookUrls: allowsPrivate } = await service.credential();
	const webhooks = (await service.listWebhooks()).map((entry) => {
		const webhook = toWebhook(entry);
		const host = parseUrl(webhook.url)?.hostname;
		return {
			...webhook,
			showsEvents: Array.isArray(readField(entry, 'events')),
			isPrivate: host !== undefined && isPrivateHost(host),
			/** Whether the credential allows such URLs. */
			allowsPrivate,
		};
	});
	const [ownerId, triggers] = await Promise.all([service.ownerId(), ownTriggers(item)]);
	const isDuplicate = duplicatesAmong(webhooks.filter(isActive));
	return await Promise.all(
		webhooks.map(async (webhook) => ({
			...webhook,
			// First, because the time for all triggers is limited.
			...(isActive(webhook) && {
				/** Whether another webhook delivers the same events to the same URL. */
				isDuplicate: isDuplicate(webhook),
				/** Only for one of this n8n's own triggers. */
				answer: await triggers.check(webhook.url),
			}),
			...(await restrictionOf(item, webhook)),
			/** Whether it has the secret that this n8n derives for test events. */
			isForTests: triggers.isForTests(webhook.url),
			isOfOther: webhook.ownerId !== null && !isSameId(webhook.ownerId, ownerId),
		})),
	);
}

const isActive = ({ enabled }: Webhook): boolean => enabled !== false;

/** Webhooks with one URL may be for different identities. Takes linear time. */
export function duplicatesAmong(webhooks: readonly Webhook[]): (webhook: Webhook) => boolean {
	const counts = new Map<string, number>();
	const countOf = (place: string): number => counts.get(place) ?? 0;
	const placesOf = ({ url, identityId }: Webhook) => {
		const address = canonicalUrl(url);
		return [address, `${address} ${identityId?.toLowerCase() ?? ''}`] as const;
	};
	for (const place of webhooks.flatMap(placesOf)) counts.set(place, countOf(place) + 1);
	return (webhook) => {
		const [address, same] = placesOf(webhook);
		const forAll = `${address} `;
		return (same === forAll ? countOf(address) : countOf(forAll) + countOf(same)) > 1;
	};
}

/** The list may lack identities that other users share, so these are read one by one. */
async function restrictionOf({ service, cache }: Item, { identityId }: Webhook) {
	if (identityId === null) return {};
	const { byId, lookUp } = await cache.once('identities', async () => {
		const listed = (await service.listIdentities()).map(toIdentity);
		const pairs = listed.map((identity) => [identity.id.toLowerCase(), identity] as const);
		return { byId: new Map(pairs), lookUp: setupLookup(listed) };
	});
	const known = byId.get(identityId.toLowerCase());
	if (known === undefined) {
		const ask = async () => await lookUpIdentity(service, identityId);
		return { identity: await cache.once(`identity ${identityId}`, ask) };
	}
	const { setup, domain } = lookUp(known);
	const isReceivingOff = setup === 'addressOfDomain' && domain?.incomingDomain === false;
	return { identity: { identity: known }, isReceivingOff };
}
