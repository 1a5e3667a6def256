/** How one deployment of the service speaks: independent switches, so that any mixture can be tested. */
export interface Dialect {
	/** Shown in messages only. */
	name: string;
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
	/** The fields that the contract does not name (display name, workspace, the user's email address). */
	extraFields: boolean;
	/** The whole error object of the wire notes, `{message, issues}`, text, or no body at all. */
	errorBody: 'observed' | 'message' | 'text' | 'empty';
	createStatus: 200 | 201;
	/** `{id, deleted: true}` with 200, or nothing with 204. */
	deleteAnswer: 'deleted' | 'empty';
	/** An identity or webhook ID that is no UUID. */
	malformedIdStatus: 400 | 404 | 500;
	/** A body that breaks the rules. */
	invalidBodyStatus: 400 | 422;
	/** PATCH with `{}`. */
	emptyPatchStatus: 200 | 400 | 500;
	foreignIdentityStatus: 403 | 404;
	unknownIdentityStatus: 403 | 404;
	foreignWebhookStatus: 403 | 404;
	/** Whether `GET /messages/{id}` also carries `rawEmail`. */
	messageIncludesRawEmail: boolean;
	/** `null` sends deliveries without a content type. */
	deliveryContentType: string | null;
	deliveryUserAgent: string;
}
