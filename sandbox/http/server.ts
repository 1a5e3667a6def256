import fastify, { type FastifyInstance } from 'fastify';
import type { Environment } from './environment';
import { answerFailures } from './failures';
import { addHooks } from './hooks';
import { identityRoutes } from './routes/identities';
import { messageRoutes } from './routes/messages';
import { userRoutes } from './routes/user';
import { webhookRoutes } from './routes/webhooks';

const largestBody = 64 * 1024 * 1024;

/** Bodies stay text: what is wrong with them is for the service to say, in its dialect. */
function keepBodiesAsText(app: FastifyInstance): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body));
}

/**
 * Starts the HTTP API.
 *
 * @param address `port` 0 takes a free one
 * @param life ends all delays when the service goes down
 * @throws when the port is in use
 */
export async function startHttp(
	environment: Environment,
	address: { host: string; port: number },
	life: AbortSignal,
): Promise<{ port: number; close: () => Promise<void> }> {
	const app = fastify({
		bodyLimit: largestBody,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		// A message ID is any text, also a long one.
		routerOptions: { maxParamLength: 8192, ignoreTrailingSlash: true },
	});
	keepBodiesAsText(app);
	answerFailures(app, environment);
	addHooks(app, environment, life);
	await app.register(
		async (routes) => {
			for (const addRoutes of [userRoutes, identityRoutes, webhookRoutes, messageRoutes]) {
				addRoutes(routes, environment);
			}
		},
		{ prefix: environment.pathPrefix },
	);
	await app.listen(address);
	const bound = app.server.address();
	const port = typeof bound === 'object' && bound ? bound.port : address.port;
	const close = async () => {
		// First of all, so that nobody is answered by a service that is going down.
		app.server.close();
		app.server.closeAllConnections();
		await app.close();
	};
	return { port, close };
}
