import type { TextFormat } from '../../../../lib/email';
import type { SenderCheckChoice } from '../../shared/editor/fields';

/** Kinds of email that do not start the workflow. */
export type IgnoreChoice =
	'autoReplies' | 'bounces' | 'drafts' | 'lists' | 'sent' | 'spam' | 'trash';

/** Default: `sameEmail`. */
export type DuplicatesChoice = 'off' | 'sameEmail' | 'sameMessageId';

/** Default: `pause`. */
export type DeactivationChoice = 'delete' | 'pause';

/**
 * The collection Filters. A filter that was not added is absent. One whose expression gives no value is empty (null for Has
 * Attachments), and lets no email through.
 */
export interface Filters {
	attachments?: string;
	excludeFrom?: string;
	excludeSubject?: string;
	from?: string;
	hasAttachments?: boolean | null;
	subject?: string;
	to?: string;
}

/** The collection Options. */
export interface Options {
	/** Default: `attachment_`. */
	attachmentPrefix: string;
	ignoreDuplicates: DuplicatesChoice;
	/** Default: false, as for every switch in a collection. */
	includeHeaders: boolean;
	includeRawEmail: boolean;
	removeQuotedText: boolean;
	/** Default: `plain`. */
	textFormat: TextFormat;
}

/** The collection Advanced. */
export interface Advanced {
	/** Minutes between two checks of the webhook; 0 for no checks. Default: 15. */
	checkEvery: number;
	/** Empty (the default) if the service delivers to n8n's own URL. */
	deliveryUrl: string;
	/** Empty (the default) for the usual ones, see `readDnsResolvers`. */
	dnsResolver: string;
	onDeactivation: DeactivationChoice;
	/** Empty by default. */
	trustedServers: string;
	/** Default: false. */
	verify: boolean;
}

/** The settings that hooks read as well: they need neither filters nor what depends on them. */
export interface CommonParameters extends Options, Advanced {
	/** Default: `off`. */
	senderCheck: SenderCheckChoice;
	/** Only for listening for a test event. Default: false. */
	useSampleEmail: boolean;
}

/** All settings of a trigger node that a delivery depends on. */
export interface DeliveryParameters extends CommonParameters {
	/** The event that starts the workflow. Default: `message.received`. */
	event: string;
	/** Null (the default) for all identities; empty if none is selected. */
	identityId: string | null;
	filters: Filters;
	/** Default: drafts, sent, spam, trash. */
	ignore: IgnoreChoice[];
	/** Default: true. */
	simplify: boolean;
	/** Default: true; false if Simplify is off. */
	downloadAttachments: boolean;
	/** An item is an email with its files, or one file of an email. Default: `email`; always so if Simplify is off. */
	output: 'attachment' | 'email';
}

/** The settings that the webhook in the service depends on. */
export interface SubscriptionParameters {
	events: string[];
	/** Null for all identities. The name comes from the list of the editor; undefined if the ID was entered. */
	chosen: { id: string; name: string | undefined } | null;
}

/** A hook, trigger or webhook context of n8n. */
export interface ParameterContext {
	getNodeParameter(name: string, fallback?: unknown, options?: { extractValue?: boolean }): unknown;
}
