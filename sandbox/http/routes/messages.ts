import type { FastifyInstance } from 'fastify';
import { wrapEntry } from '../../dialects/envelope';
import { presentMessage } from '../../dialects/resources';
import { sendJson } from '../answer';
import type { Environment } from '../environment';
import { idOf } from '../identifiers';
import { Refusal } from '../refusal';
import { callerOf } from '../visits';

/** Contract, section 4: `GET /messages/{id}`, refused as section 7 says. */
export function messageRoutes(app: FastifyInstance, { store, dialect }: Environment): void {
	app.get('/messages/:id', (request, reply) => {
		const message = store.messages.find(idOf(request));
		if (!message) throw new Refusal(404, 'Message not found');
		if (message.fields.ownerId !== callerOf(request).userId) {
			throw new Refusal(403, 'The message does not belong to this account');
		}
		const { rawEmail } = message;
		const entry = {
			...presentMessage(message, dialect),
			...(dialect.messageIncludesRawEmail && { rawEmail }),
		};
		return sendJson(reply, wrapEntry(entry, dialect));
	});
}
