import { createServer } from 'node:net';
import { SetupFailure } from './failure.mjs';

/** @throws {SetupFailure} if a port of this machine is taken or may not be used, before minutes are spent on what cannot start */
export async function requireFreePort(port) {
	const problem = await new Promise((resolve) => {
		const server = createServer();
		server.once('error', (error) => resolve(error.code));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
	});
	if (!problem) return;
	const reason = problem === 'EADDRINUSE' ? 'is taken by another program' : 'may not be used';
	throw new SetupFailure(
		`Port ${port} ${reason}: stop that program, or choose another port with \`npm start -- --port ${port + 1}\`.`,
	);
}
