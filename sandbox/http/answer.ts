import type { FastifyReply } from 'fastify';

/** Sends a body as JSON; the dialect's content type is put on on its way out. */
export function sendJson(reply: FastifyReply, body: unknown, status = 200): FastifyReply {
	return reply.code(status).type('application/json').send(JSON.stringify(body));
}
