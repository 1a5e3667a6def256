import type { IDataObject } from 'n8n-workflow';

import { maskSecrets, maskUrlSecret } from '../../api/redaction';
import { isSameId, toIdentity, toWebhook, type Webhook } from '../../api/resources';
import { canonicalUrl } from '../../lib/hosts';
import { EVENT_NAMES, normalizeEventName } from '../../shared/webhooks';
import { isDomain, lookUpIdentity, type IdentityLook } from '../../shared/identities';
import { findingsOf, inSentence, readReportOptions, report, reportFields } from '../audit';
import type { AuditRule } from '../audit';
import { domainLookup, setupOf } from '../identity/statusRules';
import type { Operation, Session } from '../operation';
import { askOwnTriggers, type TriggerAnswer } from './ownTriggers';

interface AuditedWebhook extends Webhook {
	/** The identity that it is restricted to. */
	identity?: IdentityLook;
	/** Whether the service receives no mail for this identity. */
	isReceivingOff?: boolean;
	/** Whether another webhook delivers the same events to the same URL. */
	isDuplicate: boolean;
	isOfOther: boolean;
	/** Only for one of this n8n's own triggers. */
	answer?: TriggerAnswer;
}

const hasFault =
	(code: TriggerAnswer['fault']) =>
	({ answer }: AuditedWebhook): boolean =>
		answer?.fault === code;

const RULES: ReadonlyArray<AuditRule<AuditedWebhook>> = [
	{
		code: 'identityMissing',
		severity: 'error',
		applies: ({ identity }) => identity !== undefined && 'refusal' in identity,
		message: ({ identity }) =>
			identity && 'refusal' in identity
				? `${identity.refusal.message}. ${identity.refusal.description}`
				: '',
	},
	{
		code: 'noSupportedEvent',
		severity: 'error',
		// An empty list means that the service does not show the events.
		applies: ({ events }) =>
			events.length > 0 &&
			!events.map(normalizeEventName).some((event) => EVENT_NAMES.some((name) => name === event)),
		message: ({ events }) =>
			`The service delivers nothing, because it supports none of the webhook's events (${inSentence(events.join(', '))}). Change the events of the webhook.`,
	},
	{
		code: 'notPublished',
		severity: 'error',
		applies: hasFault('notPublished'),
		message: () =>
			'No published workflow in this n8n uses the webhook, so its events are lost. Publish the workflow, or delete the webhook.',
	},
	{
		code: 'redirected',
		severity: 'error',
		applies: hasFault('redirected'),
		message: ({ answer }) =>
			`n8n's public URL redirects requests (status ${answer?.status}), and services do not follow redirects. Set N8N_WEBHOOK_URL (WEBHOOK_URL in older versions of n8n) to the final URL, or correct the proxy in front of n8n.`,
	},
	{
		code: 'certificateNotTrusted',
		severity: 'error',
		applies: hasFault('certificateNotTrusted'),
		message: () =>
			"The certificate of n8n's public URL is not trusted, so services do not deliver to it. Renew it, or use a certificate from a public authority.",
	},
	{
		code: 'unexpectedAnswer',
		severity: 'error',
		applies: hasFault('unexpectedAnswer'),
		message: ({ answer }) =>
			`The trigger's URL answers with status ${answer?.status} instead of 401. Check the proxy or gateway in front of n8n, and n8n's log.`,
	},
	{
		code: 'paused',
		severity: 'warning',
		applies: ({ enabled }) => enabled === false,
		message: () =>
			'The webhook is paused, so nothing is delivered. Publish its workflow or resume the webhook, or delete it if it is no longer needed.',
	},
	{
		code: 'restrictedToDomain',
		severity: 'warning',
		applies: ({ identity }) =>
			identity !== undefined && 'identity' in identity && isDomain(identity.identity),
		message: () =>
			'The webhook is restricted to a domain, and some services deliver only for addresses. Restrict it to an address, or remove the restriction.',
	},
	{
		code: 'receivingOff',
		severity: 'warning',
		applies: ({ isReceivingOff }) => isReceivingOff === true,
		message: () =>
			'The service receives no mail for the identity that the webhook is restricted to. Turn on receiving for its domain in the service, or choose another identity.',
	},
	{
		code: 'duplicate',
		severity: 'warning',
		applies: ({ isDuplicate }) => isDuplicate,
		message: () =>
			'Another webhook delivers the same events to the same URL, so each email arrives twice. Delete one of them.',
	},
	{
		code: 'otherOwner',
		severity: 'warning',
		applies: ({ isOfOther }) => isOfOther,
		message: ({ ownerId }) =>
			`The webhook belongs to another user (${inSentence(ownerId)}), whose emails it may deliver. Create it again with your own API key, or ask the owner.`,
	},
	{
		code: 'notReachable',
		severity: 'info',
		applies: hasFault('notReachable'),
		message: () =>
			'This n8n cannot reach its own public URL, so the trigger was not checked. This is normal in some networks. Check the URL from outside.',
	},
];

/**
 * Checks the webhooks that the service lists, and whether this n8n's own triggers answer. It changes no webhook and starts no
 * workflow.
 */
export const auditWebhooks: Operation = {
	name: 'Audit',
	value: 'audit',
	description: 'Check whether each webhook can receive events',
	action: 'Audit webhooks',
	fields: [
		{
			displayName: 'Options',
			name: 'auditOptions',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: reportFields('webhooks'),
		},
	],
	async execute(session, itemIndex) {
		const options = readReportOptions(session.context, itemIndex);
		const webhooks = await examine(session);
		const examined = webhooks.map((subject) => ({
			subject,
			name: maskSecrets(subject.description ?? maskUrlSecret(subject.url)),
			found: findingsOf(RULES, subject),
		}));
		return report(
			examined,
			({ description, url, enabled, id }, verdict) => ({
				description: description === null ? null : maskSecrets(description),
				url: maskUrlSecret(url),
				enabled,
				...verdict,
				id,
			}),
			options,
		) as unknown as IDataObject[];
	},
};

async function examine(session: Session): Promise<AuditedWebhook[]> {
	const { service } = session;
	const webhooks = (await service.listWebhooks()).map(toWebhook);
	const active = webhooks.filter(({ enabled }) => enabled !== false);
	const [ownerId, looks, answers] = await Promise.all([
		service.ownerId(),
		lookUpIdentities(session, webhooks),
		askOwnTriggers(
			session,
			active.map(({ url }) => url),
		),
	]);
	const isDuplicate = duplicatesAmong(active);
	return webhooks.map((webhook) => ({
		...webhook,
		...looks.get(webhook.identityId),
		isDuplicate: webhook.enabled !== false && isDuplicate(webhook),
		isOfOther: webhook.ownerId !== null && !isSameId(webhook.ownerId, ownerId),
		answer: answers.get(webhook.url),
	}));
}

/** The identities of webhooks, by ID. The list may lack identities that other users share, so these are read one by one. */
async function lookUpIdentities(
	{ service }: Session,
	webhooks: readonly Webhook[],
): Promise<Map<string | null, Partial<AuditedWebhook>>> {
	const ids = new Set(webhooks.map(({ identityId }) => identityId).filter((id) => id !== null));
	if (ids.size === 0) return new Map();
	const listed = (await service.listIdentities()).map(toIdentity);
	const byId = new Map(listed.map((identity) => [identity.id.toLowerCase(), identity]));
	const findDomain = domainLookup(listed);
	const looks = [...ids].map(async (id): Promise<[string, Partial<AuditedWebhook>]> => {
		const known = byId.get(id.toLowerCase());
		const identity = known ? { identity: known } : await lookUpIdentity(service, id);
		const isReceivingOff =
			known !== undefined &&
			setupOf(known, findDomain) === 'addressOfDomain' &&
			findDomain(known)?.incomingDomain === false;
		return [id, { identity, isReceivingOff }];
	});
	return new Map(await Promise.all(looks));
}

/** Webhooks with the same URL and different identities are not duplicates. */
function duplicatesAmong(webhooks: readonly Webhook[]): (webhook: Webhook) => boolean {
	const placesOf = ({ url, identityId }: Webhook) => {
		const address = canonicalUrl(url);
		return { any: address, all: `${address} all`, same: `${address} ${identityId ?? 'all'}` };
	};
	const counts = new Map<string, number>();
	for (const { any, same } of webhooks.map(placesOf)) {
		for (const place of [any, same]) counts.set(place, (counts.get(place) ?? 0) + 1);
	}
	return (webhook) => {
		const { any, all, same } = placesOf(webhook);
		const count = (place: string) => counts.get(place) ?? 0;
		const rivals = webhook.identityId === null ? count(any) : count(all) + count(same);
		return rivals > 1;
	};
}
