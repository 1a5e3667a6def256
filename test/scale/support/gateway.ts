import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, projectFolder, type N8n } from '../../support/n8n';
import { GuardedProgram } from '../../support/programs/guardedProgram';

/** The gateway of `examples/gateway`, as a program of its own. */
export class Gateway {
	private program!: GuardedProgram;

	private constructor(
		private readonly n8n: N8n,
		private readonly port: number,
		private readonly folder: string,
	) {}

	static async start(n8n: N8n): Promise<Gateway> {
		const folder = await mkdtemp(join(tmpdir(), 'email-identity-gateway-'));
		const gateway = new Gateway(n8n, await freePort(), folder);
		await gateway.begin();
		return gateway;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	/** Kills it, and starts it again with what it has stored. */
	async crash(): Promise<void> {
		await this.program.stop('SIGKILL');
		await this.begin();
	}

	/** The names of the stored deliveries in one of its folders. */
	async stored(folder: 'waiting' | 'refused'): Promise<string[]> {
		return await readdir(join(this.folder, folder));
	}

	async stop(): Promise<void> {
		await this.program.stop();
		await rm(this.folder, { recursive: true, force: true });
	}

	private async begin(): Promise<void> {
		const { url, host } = this.n8n;
		this.program = new GuardedProgram({
			program: host.node,
			parameters: [join(projectFolder, 'examples/gateway/gateway.mjs')],
			env: { N8N: url, FOLDER: this.folder, PORT: String(this.port) },
		});
		await this.program.ready(async () => (await fetch(this.url)).status === 404);
	}
}
