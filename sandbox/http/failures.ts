import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody, errorReason } from '../dialects/errors';
import type { Environment } from './environment';
import { Refusal } from './refusal';
import { servedPaths } from './servedPaths';

/** The refusal of a request for which there is no route, or none with this method. */
export function noSuchRoute(
	request: FastifyRequest,
	{ dialect, pathPrefix }: Environment,
): Refusal {
	const { unknownRouteMessage: message, wrongMethodStatus } = dialect;
	const [path = ''] = request.url.split('?', 1);
	const isServed = servedPaths(dialect).some((served) =>
		served.test(path.slice(pathPrefix.length)),
	);
	if (isServed && path.startsWith(pathPrefix) && wrongMethodStatus === 405) {
		return new Refusal(405, 'HTTP method is not allowed.');
	}
	return new Refusal(404, message.endsWith(' ') ? `${message}${request.url}` : message);
}

function sendFailure(
	error: Error & { statusCode?: number },
	request: FastifyRequest,
	reply: FastifyReply,
	{ dialect }: Environment,
): FastifyReply {
	const status = error instanceof Refusal ? error.status : (error.statusCode ?? 500);
	const more = error instanceof Refusal ? error.more : {};
	const url = `${request.protocol}://${request.host}${request.url}`;
	const failure = { status, message: error.message, url, ...more };
	const body = errorBody(failure, dialect);
	const isText = typeof body === 'string';
	reply.raw.statusMessage = errorReason(failure, dialect);
	return reply
		.code(status)
		.headers(dialect.errorHeaders)
		.header('content-type', isText ? 'text/plain; charset=utf-8' : 'application/json')
		.send(isText ? body : JSON.stringify(body));
}

/** Gives every failure, and every route that does not exist, the dialect's body. */
export function answerFailures(app: FastifyInstance, environment: Environment): void {
	app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) =>
		sendFailure(error, request, reply, environment),
	);
	app.setNotFoundHandler((request) => {
		throw noSuchRoute(request, environment);
	});
}
