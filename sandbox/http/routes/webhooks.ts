import type { FastifyInstance, FastifyRequest } from 'fastify';
import { wrapEntry } from '../../dialects/envelope';
import { presentWebhook } from '../../dialects/resources';
import { completeWebhook } from '../../store/webhooks';
import type { StoredWebhook } from '../../types';
import { sendJson } from '../answer';
import type { Environment } from '../environment';
import { uuidOf } from '../identifiers';
import { ownedBy, sendList } from '../lists';
import { Refusal } from '../refusal';
import { callerOf } from '../visits';
import { checkOwner, checkRestriction } from '../webhookAccess';
import { readNewWebhook, readWebhookChanges } from '../webhookRules';

function accessible(request: FastifyRequest, environment: Environment): StoredWebhook {
	const webhook = environment.store.webhook(uuidOf(request, environment));
	if (webhook && ownedBy(callerOf(request), [webhook], environment).length > 0) return webhook;
	if (webhook && environment.dialect.foreignWebhookStatus === 403) {
		throw new Refusal(403, 'Access denied');
	}
	throw notFound();
}

const notFound = () => new Refusal(404, 'Webhook not found', { code: 'WEBHOOK_NOT_FOUND' });

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
		const { userId, workspaceId } = callerOf(request);
		checkOwner(given, userId, environment);
		checkRestriction(given, userId, environment);
		if (dialect.createStatus === 500) throw new Refusal(500, 'Server Error');
		const id = environment.oddities.newId?.();
		const named = { ...given, workspaceId, ownerId: userId, ...(id !== undefined && { id }) };
		const webhook = completeWebhook(keep(named));
		store.putWebhook(webhook);
		return sendJson(reply, wrap(webhook), dialect.createStatus);
	});

	app.get('/webhooks', (request, reply) => {
		const all = environment.oddities.list ?? store.webhooks;
		const stored = ownedBy(callerOf(request), all, environment);
		return sendList(request, reply, { resource: 'webhooks', stored, present }, environment);
	});

	app.get('/webhooks/:id', (request, reply) => {
		if (environment.oddities.hidesSingle) throw notFound();
		return sendJson(reply, wrap(accessible(request, environment)));
	});

	app.patch('/webhooks/:id', (request, reply) => {
		const webhook = accessible(request, environment);
		const { ownerId, ...changes } = readWebhookChanges(request.body, environment);
		const { userId } = callerOf(request);
		checkOwner({ ownerId }, userId, environment);
		checkRestriction(changes, userId, environment);
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
