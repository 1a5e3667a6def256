import { parseUrl } from '../../../../lib/basics';
import { isDomainIdentity, type Webhook } from '../../api/data/resources';
import type { IdentityLook } from '../../shared/identityLookup';
import { isTriggerUrl } from '../../shared/secret';
import { EVENT_NAMES, isTriggerDescription, normalizeEventName } from '../../shared/webhooks';
import { inSentence, type AuditRules } from '../findings';
import type { TriggerAnswer } from './ownTriggers';

/** A webhook as the service lists it, with what its URL shows. */
export interface WebhookToAudit extends Webhook {
	/** Whether the service shows the events of the webhook. */
	showsEvents: boolean;
	/** Whether the URL is in a private network. */
	isPrivate: boolean;
	/** Whether the credential allows such URLs. */
	allowsPrivate: boolean;
}

/** The identity that a webhook is restricted to, as far as it is known. */
export interface Restriction {
	/** The identity, or why it cannot be used; absent if the webhook is for all identities. */
	identity?: IdentityLook;
	/** Whether the service receives no mail for the identity; absent if it is not known. */
	isReceivingOff?: boolean;
}

export interface AuditedWebhook extends WebhookToAudit, Restriction {
	/** Whether another webhook delivers the same events to the same URL; false if this one is paused. */
	isDuplicate: boolean;
	/** The answer of one of this n8n's own triggers; undefined for other webhooks and if this one is paused. */
	answer: TriggerAnswer | undefined;
	/** Whether it has the secret that this n8n derives for test events. */
	isForTests: boolean;
	/** Whether it belongs to another user. */
	isOfOther: boolean;
}

/** Problems that keep a webhook from receiving events, or that make it a risk. */
export const WEBHOOK_RULES: AuditRules<AuditedWebhook> = {
	error: {
		identityMissing({ identity }) {
			if (!identity || !('problem' in identity)) return undefined;
			const { message, description } = identity.problem;
			return [`${message}.`, description];
		},
		noSupportedEvent({ events, showsEvents }) {
			const isSupported = (event: string) => EVENT_NAMES.includes(normalizeEventName(event));
			if (!showsEvents || events.some(isSupported)) return undefined;
			let cause = 'the webhook has no events';
			if (events.length > 0) {
				const names = inSentence(events.join(', '));
				cause = `it supports none of the webhook's events (${names})`;
			}
			return [
				`The service delivers nothing, because ${cause}.`,
				'Change the events of the webhook.',
			];
		},
		notPublished({ answer }) {
			if (answer?.fault !== 'notPublished') return undefined;
			return [
				'No published workflow in this n8n uses the webhook, so its events are lost.',
				'Publish the workflow, or delete the webhook.',
			];
		},
		redirected({ answer }) {
			if (answer?.fault !== 'redirected') return undefined;
			return [
				`n8n's public URL redirects requests (status ${answer.status}), and some services do not follow redirects.`,
				'Set N8N_WEBHOOK_URL (WEBHOOK_URL in older versions of n8n) to the final URL, or correct the proxy in front of n8n.',
			];
		},
		certificateNotTrusted({ answer }) {
			if (answer?.fault !== 'certificateNotTrusted') return undefined;
			return [
				"The certificate of n8n's public URL is not trusted, so services do not deliver to it.",
				'Renew it, or use a certificate from a public authority.',
			];
		},
		unexpectedAnswer({ answer }) {
			if (answer?.fault !== 'unexpectedAnswer') return undefined;
			return [
				`The trigger's URL answers with status ${answer.status} instead of 401.`,
				"Check the proxy or gateway in front of n8n, and n8n's log.",
			];
		},
	},
	warning: {
		paused({ enabled }) {
			if (enabled !== false) return undefined;
			return [
				'The webhook is paused, so nothing is delivered.',
				'Publish its workflow or resume the webhook, or delete it if it is no longer needed.',
			];
		},
		restrictedToDomain({ identity }) {
			if (!identity || !('identity' in identity)) return undefined;
			if (!isDomainIdentity(identity.identity)) return undefined;
			return [
				'The webhook is restricted to a domain, and some services deliver only for addresses.',
				'Restrict it to an address, or remove the restriction.',
			];
		},
		receivingOff({ isReceivingOff }) {
			if (!isReceivingOff) return undefined;
			return [
				'The service receives no mail for the identity that the webhook is restricted to.',
				'Turn on receiving for its domain in the service, or choose another identity.',
			];
		},
		duplicate({ isDuplicate }) {
			if (!isDuplicate) return undefined;
			return [
				'Another webhook delivers the same events to the same URL, so each email arrives twice.',
				'Delete one of them.',
			];
		},
		otherOwner({ isOfOther, ownerId }) {
			if (!isOfOther) return undefined;
			return [
				`The webhook belongs to another user (${inSentence(ownerId)}), whose emails it may deliver.`,
				'Create it again with your own API key, or ask the owner.',
			];
		},
		urlChanged({ description, enabled, url }) {
			const isOfTrigger = isTriggerDescription(description ?? '');
			if (enabled === false || !isOfTrigger || url === '' || isTriggerUrl(url)) return undefined;
			const host = inSentence(parseUrl(url)?.host ?? 'an invalid URL');
			return [
				`An Email Identity Trigger made the webhook, but someone changed its URL in the service: it delivers to ${host}.`,
				'If nobody wants this, delete it: the trigger does not change it.',
			];
		},
		leftFromTest({ isForTests }) {
			if (!isForTests) return undefined;
			return [
				'The webhook is for test events of a trigger in this n8n.',
				'Unless someone is listening right now, delete it: n8n refuses its deliveries.',
			];
		},
		privateNetwork({ isPrivate, allowsPrivate }) {
			if (!isPrivate || allowsPrivate) return undefined;
			return [
				'The URL is in a private network, to which some services never deliver.',
				"For Kurrier's fork, its operator must set OUTBOUND_ALLOW_PRIVATE_NETWORKS=true.",
			];
		},
	},
	info: {
		privateNetwork({ isPrivate, allowsPrivate }) {
			if (!isPrivate || !allowsPrivate) return undefined;
			return [
				'The URL is in a private network, which the credential allows.',
				"If nothing arrives, the service may refuse such URLs: for Kurrier's fork, its operator must set OUTBOUND_ALLOW_PRIVATE_NETWORKS=true.",
			];
		},
		notReachable({ answer }) {
			if (answer?.fault !== 'notReachable') return undefined;
			return [
				'This n8n cannot reach its own public URL, so the trigger was not checked.',
				'This is normal in some networks.',
				'Check the URL from outside.',
			];
		},
	},
};
