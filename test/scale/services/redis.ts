import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, until } from '../../e2e/driver';
import { GuardedProgram } from '../../programs/guardedProgram';
import { findProgram } from '../../../scripts/setup/programs.mjs';

/** A Redis of our own, with its data on disk as `docs/operations.md` recommends it. */
export class Redis {
	private program: GuardedProgram | undefined;

	private constructor(
		readonly port: number,
		private readonly folder: string,
	) {}

	/** @throws SetupFailure, or an Error with the end of Redis' log when it does not come up */
	static async start(): Promise<Redis> {
		const program = findProgram('redis-server');
		const folder = await mkdtemp(join(tmpdir(), 'email-identity-redis-'));
		const redis = new Redis(await freePort(), folder);
		await redis.begin(program);
		return redis;
	}

	/** Stops it in good order and starts it again with what it had written. */
	async restart(): Promise<void> {
		await this.program?.stop('SIGTERM');
		await this.begin(findProgram('redis-server'));
	}

	async stop(): Promise<void> {
		await this.program?.stop('SIGTERM');
		await rm(this.folder, { recursive: true, force: true });
	}

	private async begin(program: string): Promise<void> {
		const settings = {
			port: String(this.port),
			bind: '127.0.0.1',
			dir: this.folder,
			appendonly: 'yes',
			save: '',
		};
		const parameters = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
		const running = new GuardedProgram({ program, parameters, folder: this.folder });
		this.program = running;
		await until(() => answersPing(this.port), {
			describe: `Redis answers at port ${this.port}`,
		}).catch((error: Error) => {
			throw new Error(`${error.message}\n${running.log.tail()}`);
		});
	}
}

/** While Redis reads its data from disk it answers with an error instead. */
async function answersPing(port: number): Promise<boolean> {
	return await new Promise((resolve, reject) => {
		const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
		socket.once('error', reject);
		socket.once('data', (answer) => {
			socket.destroy();
			resolve(answer.toString().startsWith('+PONG'));
		});
	});
}
