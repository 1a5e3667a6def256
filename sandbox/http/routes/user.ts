import type { FastifyInstance } from 'fastify';
import { wrapEntry } from '../../dialects/envelope';
import { presentUser } from '../../dialects/resources';
import { sendJson } from '../answer';
import type { Environment } from '../environment';
import { callerOf } from '../visits';

/** Contract, section 4: `GET /me`. */
export function userRoutes(app: FastifyInstance, { dialect }: Environment): void {
	app.get('/me', (request, reply) =>
		sendJson(reply, wrapEntry(presentUser(callerOf(request), dialect), dialect)),
	);
}
