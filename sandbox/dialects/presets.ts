import type { Dialect } from './dialect';

export type DialectName = 'contract' | 'observed';

/** The contract to the letter, and the running service of the wire notes. */
export const dialects: Record<DialectName, Dialect> = {
	contract: {
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
		extraFields: false,
		errorBody: 'message',
		createStatus: 201,
		deleteAnswer: 'empty',
		malformedIdStatus: 404,
		invalidBodyStatus: 422,
		emptyPatchStatus: 400,
		foreignIdentityStatus: 404,
		unknownIdentityStatus: 404,
		foreignWebhookStatus: 403,
		messageIncludesRawEmail: false,
		deliveryContentType: 'application/json',
		deliveryUserAgent: 'email-service',
	},
	observed: {
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
		extraFields: true,
		errorBody: 'observed',
		createStatus: 200,
		deleteAnswer: 'deleted',
		malformedIdStatus: 500,
		invalidBodyStatus: 400,
		emptyPatchStatus: 500,
		foreignIdentityStatus: 403,
		unknownIdentityStatus: 403,
		foreignWebhookStatus: 404,
		messageIncludesRawEmail: false,
		deliveryContentType: 'text/plain;charset=UTF-8',
		deliveryUserAgent: 'node',
	},
};

/** A dialect of its own for one sandbox, so that changing its switches changes no other. */
export function resolveDialect(dialect: DialectName | Dialect): Dialect {
	return { ...(typeof dialect === 'string' ? dialects[dialect] : dialect) };
}
