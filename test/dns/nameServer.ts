import { execFile } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { freePort } from '../e2e/driver/freePort';
import { until } from '../e2e/driver/until';
import { GuardedProgram } from '../programs/guardedProgram';
import { findProgram } from '../../scripts/setup/programs.mjs';
import { zoneFile, type Zone, type Zones } from './zoneFile';

const execute = promisify(execFile);

/** What NSD answers with where it has no zone, in the words of Node. */
const WITHOUT_ZONE = { servfail: 'ESERVFAIL', unknown: 'EREFUSED' };

/** NSD fails where a file holds no zone; where there is no file it goes on with what it knew. */
const NO_ZONE = '; nothing\n';

/** A name server of our own (NSD), with zones that can be changed. */
export class NameServer {
	private serial = 0;

	private readonly zones = new Map<string, { zone: Zone; serial: number }>();

	private readonly resolver = new Resolver();

	private constructor(
		readonly port: number,
		private readonly folder: string,
		private readonly program: GuardedProgram,
	) {
		this.resolver.setServers([`127.0.0.1:${port}`]);
	}

	/**
	 * @param folder where its files go; it goes when this process dies before it stopped the server
	 * @throws SetupFailure, or an Error with the end of NSD's log when it does not come up
	 */
	static async start(folder: string, zones: Zones): Promise<NameServer> {
		const program = findProgram('nsd');
		const port = await freePort();
		await mkdir(join(folder, 'zones'));
		const settings = join(folder, 'nsd.conf');
		await writeFile(settings, configuration(folder, port, []));
		const running = new GuardedProgram({ program, parameters: ['-c', settings, '-d'], folder });
		const server = new NameServer(port, folder, running);
		try {
			await until(async () => await server.control('status'), {
				describe: `NSD answers at port ${port}`,
			});
			await server.set(zones);
		} catch (error) {
			await server.stop();
			throw new Error(`${(error as Error).message}\n${running.log.tail()}`, { cause: error });
		}
		return server;
	}

	/** Changes domains, and waits until all of them are as they shall be; undefined takes one away. */
	async set(changes: Readonly<Record<string, Zone | undefined>>): Promise<void> {
		const serial = ++this.serial;
		for (const [domain, zone] of Object.entries(changes)) {
			if (zone === undefined) this.zones.delete(domain);
			else this.zones.set(domain, { zone, serial });
			if (zone === undefined) continue;
			const file = join(this.folder, 'zones', fileName(domain, serial));
			await writeFile(file, zone === 'servfail' ? NO_ZONE : zoneFile(domain, zone, serial));
		}
		const files = [...this.zones].map(([domain, { serial }]) => [domain, fileName(domain, serial)]);
		const settings = configuration(this.folder, this.port, files);
		await writeFile(join(this.folder, 'nsd.conf'), settings);
		await this.control('reconfig');
		await this.control('reload');
		for (const [domain, zone] of Object.entries(changes)) {
			const expected =
				zone === undefined
					? WITHOUT_ZONE.unknown
					: zone === 'servfail'
						? WITHOUT_ZONE.servfail
						: serial;
			await until(async () => (await this.seen(domain)) === expected, {
				describe: `NSD answers ${expected} for ${domain}`,
			});
		}
	}

	async stop(): Promise<void> {
		await this.program.stop('SIGTERM');
	}

	/** The version of a domain that is served, or why there is none. */
	private async seen(domain: string): Promise<number | string> {
		return await this.resolver.resolveSoa(domain).then(
			({ serial }) => serial,
			({ code }: NodeJS.ErrnoException) => code ?? '',
		);
	}

	private async control(command: string): Promise<boolean> {
		await execute(findProgram('nsd-control'), ['-c', join(this.folder, 'nsd.conf'), command]);
		return true;
	}
}

/** NSD reads a file again only when it changed: each version is a file of its own. */
function fileName(domain: string, serial: number): string {
	return `${domain}-${serial}.zone`;
}

function configuration(folder: string, port: number, files: string[][]): string {
	const zones = files.map(([domain, file]) => `zone:\n  name: "${domain}"\n  zonefile: "${file}"`);
	return `server:
  ip-address: 127.0.0.1@${port}
  server-count: 1
  database: ""
  username: ""
  chroot: ""
  pidfile: "${folder}/nsd.pid"
  xfrdfile: "${folder}/xfrd.state"
  zonelistfile: "${folder}/zone.list"
  zonesdir: "${folder}/zones"
  # Against floods it would leave questions of one kind unanswered.
  rrl-ratelimit: 0
  rrl-whitelist-ratelimit: 0
remote-control:
  control-enable: yes
  control-interface: "${folder}/nsd.socket"
${zones.join('\n')}
`;
}
