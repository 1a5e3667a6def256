/** How one deployment of the service speaks: independent switches, so that any mixture can be tested. */
export interface Dialect {
	/** Shown in messages only. */
	name: string;

	// Answers.
	/** `bare` body, `{data}`, or `{success, data}`. */
	envelope: 'bare' | 'data' | 'success';
	/** The list itself, or the list under one key inside the envelope; `resource` is `identities` or `webhooks`. */
	listKey: 'none' | 'resource' | 'items' | 'results' | 'data';
	/** Field names of identities and messages in answers and deliveries. */
	fieldNames: 'snake' | 'camel';
	/** Field names of stored subscriptions in answers. */
	webhookFieldNames: 'snake' | 'camel';
	/** The name of the user's ID in `GET /me`. */
	userIdField: 'userId' | 'id' | 'user_id';
	/** `text`: JSON text, with `null` as the text `null`; `json`: the value itself. */
	jsonFields: 'text' | 'json';
	/** The name (in camelCase) of an identity's metadata. */
	metaField: 'meta' | 'metaData';
	/** What an identity without metadata carries. */
	emptyMeta: 'object' | 'null';
	/** `2025-11-15 10:47:23.60418+00` or `2025-11-15T10:47:23.604Z`. */
	timestamps: 'contract' | 'iso';
	/** Whether `updatedAt` of identities and webhooks follows changes, or stays what it was at creation. */
	updatedAt: 'changes' | 'never';
	/** Which addresses are ever verified: all, or only those that hang on no domain and are read by no account. */
	verifies: 'all' | 'ownAddresses';
	/** The fields that the contract does not name (display name, workspace, the user's email address). */
	extraFields: boolean;
	/** Sent as the content type of JSON. */
	jsonContentType: string;
	/** On every answer. */
	answerHeaders: Record<string, string>;
	/** On every error beside those. */
	errorHeaders: Record<string, string>;
	/** The whole error object of Kurrier 3.5.0, `{message, issues}`, text, or no body at all. */
	errorBody: 'observed' | 'message' | 'text' | 'empty';
	/** The message for a route that does not exist; the address asked for follows it where it ends in a space. */
	unknownRouteMessage: string;
	/** A path that exists, asked with a method that it does not take. */
	wrongMethodStatus: 404 | 405;
	/** Whether `/identities/` is `/identities`. */
	trailingSlash: boolean;

	// Keys and access.
	/** Whether keys expire, can be revoked and carry scopes. */
	restrictsKeys: boolean;
	/** Whether lists leave out what the user has in other workspaces than the key's. */
	listsWorkspaceOnly: boolean;
	/** An identity or webhook ID that is no UUID. */
	malformedIdStatus: 400 | 404 | 500;
	foreignIdentityStatus: 403 | 404;
	unknownIdentityStatus: 403 | 404;
	foreignWebhookStatus: 403 | 404;

	// Writing subscriptions.
	/** 500 is a service that cannot create subscriptions through its API. */
	createStatus: 200 | 201 | 500;
	/** `{id, deleted: true}` with 200, or nothing with 204. */
	deleteAnswer: 'deleted' | 'empty';
	/** Whether `ownerId` must be there and the caller's, or is not looked at. */
	ownerInBody: 'required' | 'ignored';
	/** Whether a `url` that is none is refused. */
	checksUrl: boolean;
	/** A body that breaks the rules. */
	invalidBodyStatus: 400 | 422;
	/** The code for an empty list of events, which then comes without issues; `null` is an issue like any other. */
	emptyEventsCode: string | null;
	/** PATCH with `{}`. */
	emptyPatchStatus: 200 | 400 | 500;
	/** POST or PATCH with another account's identity. */
	foreignRestriction: 'accepted' | 403;
	/** POST or PATCH with an identity that does not exist. */
	missingRestrictionStatus: 403 | 500;
	/** What becomes of a subscription's `identityId` when that identity is deleted. */
	restrictionOfDeleted: 'kept' | 'null';

	// Messages.
	/** Whether there is `GET /messages/{id}`, and `GET /messages` too. */
	messageRoutes: 'none' | 'single' | 'singleAndList';
	/** What `GET /messages/{id}` answers with: the message as it is delivered, or a shape of its own with attachments. */
	messageAnswer: 'delivered' | 'reading';
	/** Whether a message is also found by its `publicId`. */
	messageByPublicId: boolean;
	foreignMessageStatus: 403 | 404;
	/** Whether `GET /messages/{id}` also carries `rawEmail`. */
	messageIncludesRawEmail: boolean;
	/** Whether messages name their owner and workspace. */
	messageNamesOwner: boolean;
	/** What stands for references, reply addresses and text that are not there. */
	absentInMessage: 'empty' | 'null';

	// Mail in.
	/** Whether a domain with `incomingDomain` takes mail for addresses that are no identities. */
	domainsReceive: boolean;
	/** Whether `deliveredTo` of a message holds the address it was sent to, or `null`. */
	fillsDeliveredTo: boolean;
	/** Whether each recipient's copy begins with `Delivered-To` and `Received` of its own. */
	stampsCopies: boolean;
	/** Whether mail without Message-ID, and the same Message-ID twice in a mailbox, is dropped. */
	dropsRepeats: boolean;

	// Deliveries.
	/** Whose unrestricted subscriptions hear of a message: the owner's, everybody's, or those of who may read it. */
	deliversTo: 'owner' | 'everybody' | 'readers';
	/** At once and side by side, or collected and then one after another. */
	deliveryOrder: 'parallel' | 'sequential';
	/** Whether what a crash cut off is delivered again afterwards. */
	repeatsAfterCrash: boolean;
	/** Milliseconds; `null` waits (up to the sandbox's own limit). */
	deliveryTimeout: number | null;
	followsRedirects: boolean;
	/** `null` sends deliveries without a content type. */
	deliveryContentType: string | null;
	deliveryUserAgent: string;
	/** On every delivery beside those. */
	deliveryHeaders: Record<string, string>;
}

/** The contract to the letter. What it does not show was chosen (README.md). */
export const contract: Dialect = {
	name: 'contract',
	envelope: 'bare',
	listKey: 'none',
	fieldNames: 'snake',
	webhookFieldNames: 'snake',
	userIdField: 'userId',
	jsonFields: 'text',
	metaField: 'meta',
	emptyMeta: 'object',
	timestamps: 'contract',
	updatedAt: 'changes',
	verifies: 'all',
	extraFields: false,
	jsonContentType: 'application/json; charset=utf-8',
	answerHeaders: {},
	errorHeaders: {},
	errorBody: 'message',
	unknownRouteMessage: 'Page not found',
	wrongMethodStatus: 404,
	trailingSlash: false,
	restrictsKeys: false,
	listsWorkspaceOnly: false,
	malformedIdStatus: 404,
	foreignIdentityStatus: 404,
	unknownIdentityStatus: 404,
	foreignWebhookStatus: 403,
	createStatus: 201,
	deleteAnswer: 'empty',
	ownerInBody: 'required',
	checksUrl: true,
	invalidBodyStatus: 422,
	emptyEventsCode: null,
	emptyPatchStatus: 400,
	foreignRestriction: 403,
	missingRestrictionStatus: 403,
	restrictionOfDeleted: 'kept',
	messageRoutes: 'single',
	messageAnswer: 'delivered',
	messageByPublicId: false,
	foreignMessageStatus: 403,
	messageIncludesRawEmail: false,
	messageNamesOwner: false,
	absentInMessage: 'empty',
	domainsReceive: true,
	fillsDeliveredTo: true,
	stampsCopies: false,
	dropsRepeats: false,
	deliversTo: 'owner',
	deliveryOrder: 'parallel',
	repeatsAfterCrash: false,
	deliveryTimeout: null,
	followsRedirects: true,
	deliveryContentType: 'application/json',
	deliveryUserAgent: 'email-service',
	deliveryHeaders: {},
};

/** One running service as it was seen: Kurrier 3.5.0. */
export const observed: Dialect = {
	name: 'observed',
	envelope: 'success',
	listKey: 'none',
	fieldNames: 'camel',
	webhookFieldNames: 'camel',
	userIdField: 'id',
	jsonFields: 'json',
	metaField: 'metaData',
	emptyMeta: 'null',
	timestamps: 'iso',
	updatedAt: 'never',
	verifies: 'ownAddresses',
	extraFields: true,
	jsonContentType: 'application/json',
	answerHeaders: {
		'access-control-allow-origin': '*',
		'access-control-allow-methods': '*',
		'access-control-allow-headers': '*',
		'access-control-max-age': '0',
	},
	errorHeaders: {
		'cache-control': 'no-cache',
		'content-security-policy': "script-src 'none'; frame-ancestors 'none';",
		'referrer-policy': 'no-referrer',
		'x-content-type-options': 'nosniff',
		'x-frame-options': 'DENY',
	},
	errorBody: 'observed',
	unknownRouteMessage: 'Cannot find any route matching ',
	wrongMethodStatus: 405,
	trailingSlash: true,
	restrictsKeys: false,
	listsWorkspaceOnly: false,
	malformedIdStatus: 500,
	foreignIdentityStatus: 403,
	unknownIdentityStatus: 403,
	foreignWebhookStatus: 404,
	// A stock installation answers 500; one that was mended, this.
	createStatus: 200,
	deleteAnswer: 'deleted',
	ownerInBody: 'ignored',
	checksUrl: false,
	invalidBodyStatus: 400,
	emptyEventsCode: 'MISSING_EVENTS',
	emptyPatchStatus: 500,
	foreignRestriction: 'accepted',
	missingRestrictionStatus: 500,
	restrictionOfDeleted: 'null',
	messageRoutes: 'none',
	messageAnswer: 'delivered',
	messageByPublicId: false,
	foreignMessageStatus: 403,
	messageIncludesRawEmail: false,
	messageNamesOwner: true,
	absentInMessage: 'null',
	domainsReceive: false,
	fillsDeliveredTo: true,
	stampsCopies: true,
	dropsRepeats: true,
	deliversTo: 'everybody',
	deliveryOrder: 'sequential',
	repeatsAfterCrash: true,
	deliveryTimeout: null,
	followsRedirects: true,
	deliveryContentType: 'text/plain;charset=UTF-8',
	deliveryUserAgent: 'node',
	deliveryHeaders: {},
};

/** A fork of the observed service, as its source has it: what it does differently. */
const fork: Dialect = {
	...observed,
	name: 'fork',
	restrictsKeys: true,
	listsWorkspaceOnly: true,
	foreignRestriction: 403,
	missingRestrictionStatus: 403,
	messageRoutes: 'singleAndList',
	messageAnswer: 'reading',
	messageByPublicId: true,
	foreignMessageStatus: 404,
	deliversTo: 'readers',
	deliveryOrder: 'parallel',
	repeatsAfterCrash: false,
	deliveryTimeout: 15_000,
	followsRedirects: false,
	deliveryContentType: 'application/json',
	deliveryUserAgent: 'Kurrier-Webhooks',
	deliveryHeaders: { 'x-kurrier-event': 'message.received' },
};

export type DialectName = 'contract' | 'observed' | 'fork';

/** The contract to the letter, Kurrier 3.5.0 as it was seen to run, and a fork of that service. */
export const dialects: Record<DialectName, Dialect> = { contract, observed, fork };

export const dialectNames: readonly DialectName[] = ['contract', 'observed', 'fork'];

/** A dialect of its own for one sandbox, so that changing its switches changes no other. */
export function resolveDialect(dialect: DialectName | Dialect): Dialect {
	return { ...(typeof dialect === 'string' ? dialects[dialect] : dialect) };
}
