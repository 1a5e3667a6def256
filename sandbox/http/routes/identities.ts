import type { FastifyInstance } from 'fastify';
import { wrapEntry } from '../../dialects/envelope';
import { presentIdentity } from '../../dialects/identities';
import type { StoredIdentity } from '../../types';
import { sendJson } from '../answer';
import type { Environment } from '../environment';
import { uuidOf } from '../identifiers';
import { ownedBy, sendList } from '../lists';
import { Refusal } from '../refusal';
import { callerOf } from '../visits';

/** Contract, section 4: `GET /identities` and `GET /identities/{id}`. */
export function identityRoutes(app: FastifyInstance, environment: Environment): void {
	const { store, dialect } = environment;
	const present = (identity: StoredIdentity) => presentIdentity(identity, dialect);

	app.get('/identities', (request, reply) => {
		const stored = ownedBy(callerOf(request), store.identities, environment);
		return sendList(request, reply, { resource: 'identities', stored, present }, environment);
	});

	app.get('/identities/:id', (request, reply) => {
		const identity = store.identity(uuidOf(request, environment));
		if (identity?.ownerId === callerOf(request).userId) {
			return sendJson(reply, wrapEntry(present(identity), dialect));
		}
		const status = identity ? dialect.foreignIdentityStatus : dialect.unknownIdentityStatus;
		throw new Refusal(status, 'Identity not found or access denied');
	});
}
