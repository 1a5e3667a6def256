import type { AddressInfo } from 'node:net';
import fastify, { type FastifyRequest, type HTTPMethods } from 'fastify';
import type { Sandbox } from '../types';
import { type ControlCall, controlRoutes } from './routes';

const largestBody = 256 * 1024 * 1024;

function callOf(request: FastifyRequest, sandbox: Sandbox): ControlCall {
	const { id = '' } = request.params as { id?: string };
	const query = new URL(request.url, 'http://sandbox').searchParams;
	// What a call may carry is the control endpoint's own promise to itself: see the types of Sandbox.
	return { sandbox, id, query, body: (request.body ?? {}) as never };
}

/**
 * Starts the control endpoint: the sandbox's methods over HTTP, JSON in and out.
 *
 * @throws when the port is in use
 */
export async function startControl(
	sandbox: Sandbox,
	address: { host: string; port: number },
): Promise<{ port: number; close: () => Promise<void> }> {
	const app = fastify({
		bodyLimit: largestBody,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: 8192 },
	});
	app.setErrorHandler((error: Error, _, reply) => reply.code(400).send({ error: error.message }));
	for (const [name, act] of Object.entries(controlRoutes)) {
		const [method = '', url = ''] = name.split(' ');
		app.route({
			method: method as HTTPMethods,
			url,
			handler: async (request, reply) => {
				const result = await act(callOf(request, sandbox));
				return reply.send(result ?? {});
			},
		});
	}
	await app.listen(address);
	return { port: (app.server.address() as AddressInfo).port, close: () => app.close() };
}
