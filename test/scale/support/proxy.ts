import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../../scripts/setup/programs.mjs';
import { freePort, projectFolder, type N8n } from '../../support/n8n';
import { GuardedProgram } from '../../support/programs/guardedProgram';

/** The Caddy of `docs/recovery.md` before an n8n, with other addresses. */
export class Proxy {
	private constructor(
		readonly url: string,
		private readonly program: GuardedProgram,
	) {}

	static async start(n8n: N8n): Promise<Proxy> {
		const page = await readFile(join(projectFolder, 'docs/recovery.md'), 'utf8');
		const [, documented = ''] = /```caddyfile\n([\s\S]*?)```/.exec(page) ?? [];
		const port = await freePort();
		const site = documented
			.replace('n8n.example.com', `http://127.0.0.1:${port}`)
			.replace('localhost:5678', `127.0.0.1:${n8n.port}`);
		const folder = await mkdtemp(join(tmpdir(), 'email-identity-proxy-'));
		const file = join(folder, 'Caddyfile');
		await writeFile(file, `{\n\tadmin off\n}\n${site}`);
		const program = new GuardedProgram({
			program: findProgram('caddy'),
			parameters: ['run', '--config', file, '--adapter', 'caddyfile'],
			env: { HOME: folder },
			folder,
		});
		const url = `http://127.0.0.1:${port}`;
		await program.ready(async () => (await fetch(`${url}/healthz`)).ok);
		return new Proxy(url, program);
	}

	async stop(): Promise<void> {
		await this.program.stop();
	}
}
