import { createServer } from 'node:net';
import { SetupFailure } from './failure.mjs';

/**
 * Checks a port before an installation that takes minutes.
 *
 * @param {number} port
 * @returns {Promise<void>}
 * @throws {SetupFailure} if it is taken or may not be used
 */
export async function requireFreePort(port) {
	const problem = await new Promise((resolve) => {
		const server = createServer();
		server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => resolve(error.code));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
	});
	if (!problem) return;
	const reason = problem === 'EADDRINUSE' ? 'is taken by another program' : 'may not be used';
	throw new SetupFailure(
		`Port ${port} ${reason}: stop that program, or choose another port with \`npm start -- --port ${port + 1}\`.`,
	);
}
