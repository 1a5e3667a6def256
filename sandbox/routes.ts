import { z } from 'zod';
import {
	INVALID_BODY,
	invalidBody,
	jsonOf,
	NO_IDENTITY,
	readMessage,
	Refusal,
	type Answer,
	type Call,
} from './call';
import type { Dialect } from './dialects';
import { isUuid } from './ids';
import { completeWebhook } from './seed';
import { replyToEmail, sendEmail } from './sending';
import { presentReading, styles } from './styles';
import type { StoredWebhook } from './types';

const isOwn =
	({ caller }: Call) =>
	({ ownerId }: { ownerId: string }): boolean =>
		ownerId === caller.userId;

/** What the body of POST may contain; that of PATCH, a part of it. */
interface GivenWebhook {
	url: string;
	events: Array<'message.received'>;
	ownerId?: string | undefined;
	identityId?: string | null | undefined;
	enabled?: boolean | undefined;
	description?: string | null | undefined;
}

function webhookRules({ checksUrl, requiresOwner, style }: Dialect) {
	const events = z.array(z.enum(['message.received']));
	return z.object({
		url: checksUrl ? z.string().url() : z.string(),
		events: style === 'contract' ? events.min(1) : events,
		ownerId: requiresOwner ? z.string().uuid() : z.string().optional(),
		identityId: z.string().nullish(),
		enabled: z.boolean().optional(),
		description: z.string().nullish(),
	});
}

/** Reads the body of POST or PATCH and checks owner and identity. Private addresses pass: everything is on one machine. */
function readWebhook<Given extends Partial<GivenWebhook>>(
	call: Call,
	rules: z.ZodType<Given>,
): Given {
	const { dialect, caller, store } = call;
	const status = dialect.invalidBodyStatus;
	const { success, data, error } = rules.safeParse(jsonOf(call));
	if (!success) throw invalidBody(call, error, INVALID_BODY);
	if (data.events?.length === 0) {
		const message = 'Field `events` must have at least one event';
		throw new Refusal(status, message, { code: 'MISSING_EVENTS' });
	}
	const { ownerId = caller.userId, identityId } = data;
	if (dialect.requiresOwner && ownerId !== caller.userId) {
		throw new Refusal(403, 'The owner is not the user of this key');
	}
	if (!identityId) return data;
	const identity = store.identity(identityId);
	const refusal = identity ? dialect.foreignRestrictionStatus : dialect.missingRestrictionStatus;
	if (identity?.ownerId === caller.userId || refusal === 200) return data;
	throw new Refusal(refusal, NO_IDENTITY);
}

function ownWebhook(call: Call): StoredWebhook {
	const { id, dialect, store } = call;
	const webhook = store.webhook(id.toLowerCase());
	if (webhook && isOwn(call)(webhook)) return webhook;
	if (webhook && dialect.foreignWebhookStatus === 403) throw new Refusal(403, 'Access denied');
	const isMalformed = !isUuid(id) && !dialect.shortWebhookIds;
	const status = isMalformed ? dialect.malformedWebhookStatus : 404;
	throw new Refusal(status, 'Webhook not found', { code: 'WEBHOOK_NOT_FOUND' });
}

function present(webhook: StoredWebhook, { dialect, oddities }: Call): Record<string, unknown> {
	const shown = styles[dialect.style].webhook(webhook);
	return oddities.show?.(shown) ?? shown;
}

/** Contract, section 4, and the routes for sending that services may have, by method and path relative to the base URL. */
export const routes: Record<string, (call: Call) => Answer> = {
	'GET /me': ({ caller, dialect }) => ({ content: styles[dialect.style].user(caller) }),
	'GET /identities'(call) {
		const own = call.store.identities.filter(isOwn(call));
		return { content: own.map(styles[call.dialect.style].identity) };
	},
	'GET /identities/:id'(call) {
		const { id, store, dialect } = call;
		const identity = store.identity(id.toLowerCase());
		if (identity && isOwn(call)(identity)) {
			return { content: styles[dialect.style].identity(identity) };
		}
		const { noIdentityStatus, malformedIdentityStatus } = dialect;
		throw new Refusal(isUuid(id) ? noIdentityStatus : malformedIdentityStatus, NO_IDENTITY);
	},
	'POST /webhooks'(call) {
		const { caller, dialect, store, oddities } = call;
		const given = readWebhook(call, webhookRules(dialect));
		if (dialect.createStatus === 500) throw new Refusal(500, 'Server Error');
		const { workspaceId, userId: ownerId } = caller;
		const named = { id: store.newWebhookId(dialect), ...given, workspaceId, ownerId };
		const webhook = store.putWebhook(completeWebhook({ ...named, ...oddities.keep?.(named) }));
		return { status: dialect.createStatus, content: present(webhook, call) };
	},
	'GET /webhooks'(call) {
		const { dialect, oddities, store } = call;
		const listed = store.webhooks
			.filter(oddities.lists ?? Boolean)
			.filter(dialect.sharesWebhooks ? Boolean : isOwn(call));
		return { content: listed.map((webhook) => present(webhook, call)) };
	},
	'GET /webhooks/:id': (call) => ({ content: present(ownWebhook(call), call) }),
	'PATCH /webhooks/:id'(call) {
		const { dialect, oddities, store } = call;
		const webhook = ownWebhook(call);
		const changes: Partial<GivenWebhook> = readWebhook(call, webhookRules(dialect).partial());
		delete changes.ownerId;
		if (Object.keys(changes).length === 0) {
			throw new Refusal(dialect.emptyPatchStatus, 'There is nothing to change', INVALID_BODY);
		}
		const updatedAt = new Date().toISOString();
		const kept = { ...changes, ...oddities.keep?.(changes) };
		const changed = store.putWebhook(completeWebhook({ ...webhook, ...kept, updatedAt }));
		return { content: present(changed, call) };
	},
	'DELETE /webhooks/:id'(call) {
		const { id } = ownWebhook(call);
		call.store.removeWebhook(id);
		const status = call.dialect.deleteStatus;
		return status === 204 ? { status } : { content: { id, deleted: true } };
	},
	'POST /email/send': sendEmail,
	'POST /email/reply': replyToEmail,
	'GET /messages/:id'(call) {
		const { dialect } = call;
		const message = readMessage(call);
		if (dialect.messageRoutes === 'reading') {
			const content = presentReading(message);
			const { headersJson: headers } = message.fields;
			return {
				content: call.query.get('includeHeaders') === 'true' ? { ...content, headers } : content,
			};
		}
		return { content: styles[dialect.style].message(message.fields) };
	},
};
