import type { FastifyInstance, FastifyRequest } from 'fastify';
import { wrapEntry } from '../../dialects/envelope';
import { presentWebhook } from '../../dialects/resources';
import { completeWebhook } from '../../store/webhooks';
import type { StoredAccount, StoredWebhook } from '../../types';
import { sendJson } from '../answer';
import type { Environment } from '../environment';
import { uuidOf } from '../identifiers';
import { sendList } from '../lists';
import { Refusal } from '../refusal';
import { callerOf } from '../visits';
import { type GivenWebhook, readNewWebhook, readWebhookChanges } from '../webhookRules';

/** Refuses a subscription in another user's name or to an identity that is not the caller's (section 5). */
function checkAccess(
	{ ownerId, identityId }: Partial<GivenWebhook>,
	caller: StoredAccount,
	{ store }: Environment,
): void {
	if (ownerId !== undefined && ownerId !== caller.userId) {
		throw new Refusal(403, 'The owner is not the user of this key');
	}
	if (identityId && store.identity(identityId)?.ownerId !== caller.userId) {
		throw new Refusal(403, 'Identity not found or access denied');
	}
}

function accessible(request: FastifyRequest, environment: Environment): StoredWebhook {
	const webhook = environment.store.webhook(uuidOf(request, environment));
	if (webhook?.ownerId === callerOf(request).userId) return webhook;
	const status = webhook ? environment.dialect.foreignWebhookStatus : 404;
	throw new Refusal(status, status === 404 ? 'Webhook not found' : 'Access denied');
}

/** Contract, section 4: everything under `/webhooks`. */
export function webhookRoutes(app: FastifyInstance, environment: Environment): void {
	const { store, dialect } = environment;
	const present = (webhook: StoredWebhook) => {
		const { show = (shown) => shown } = environment.oddities;
		return show(presentWebhook(webhook, dialect));
	};
	const keep = <Given extends Partial<StoredWebhook>>(given: Given): Given => ({
		...given,
		...environment.oddities.keep?.(given),
	});
	const wrap = (webhook: StoredWebhook) => wrapEntry(present(webhook), dialect);

	app.post('/webhooks', (request, reply) => {
		const given = readNewWebhook(request.body, environment);
		checkAccess(given, callerOf(request), environment);
		const id = environment.oddities.newId?.();
		const webhook = completeWebhook(keep({ ...given, ...(id === undefined ? {} : { id }) }));
		store.putWebhook(webhook);
		return sendJson(reply, wrap(webhook), dialect.createStatus);
	});

	app.get('/webhooks', (request, reply) => {
		const { userId } = callerOf(request);
		const all = environment.oddities.list ?? store.webhooks;
		const stored = all.filter(({ ownerId }) => ownerId === userId);
		return sendList(request, reply, { resource: 'webhooks', stored, present }, environment);
	});

	app.get('/webhooks/:id', (request, reply) => {
		if (environment.oddities.hidesSingle) throw new Refusal(404, 'Webhook not found');
		return sendJson(reply, wrap(accessible(request, environment)));
	});

	app.patch('/webhooks/:id', (request, reply) => {
		const webhook = accessible(request, environment);
		const changes = readWebhookChanges(request.body, environment);
		checkAccess(changes, callerOf(request), environment);
		const changed = completeWebhook({
			...webhook,
			...keep(changes),
			updatedAt: new Date().toISOString(),
		});
		store.putWebhook(changed);
		return sendJson(reply, wrap(changed));
	});

	app.delete('/webhooks/:id', (request, reply) => {
		const { id } = accessible(request, environment);
		store.removeWebhook(id);
		if (dialect.deleteAnswer === 'empty') return reply.code(204).send();
		return sendJson(reply, wrapEntry({ id, deleted: true }, dialect));
	});
}
