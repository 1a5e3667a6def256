import type { FastifyReply } from 'fastify';

/** Sends a body as JSON. */
export function sendJson(reply: FastifyReply, body: unknown, status = 200): FastifyReply {
	return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}
