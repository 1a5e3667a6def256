import { Resolver } from 'node:dns/promises';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findProgram } from '../../../scripts/setup/programs.mjs';
import { freePort } from '../../support/n8n/freePort';
import { GuardedProgram } from '../../support/programs/guardedProgram';

/**
 * Domain → its records as in a zone file (RFC 1035, section 5), with a time to live of 0 unless given; `servfail` if its server
 * fails. Other domains are refused (REFUSED).
 */
export type Zones = Readonly<Record<string, string>>;

/** Adds settings of dnsdist, for a server behind it at this port. */
export type FrontSettings = (serverPort: number, folder: string) => Promise<string>;

/** NSD fails if a file contains no zone. */
const NO_ZONE = '; nothing\n';

/**
 * A real DNS: a name server (NSD) with the zones of a test, and DNS over HTTPS before it (dnsdist), over plain HTTP because it has
 * no certificate. The programs end with this process at the latest.
 */
export class TestDns {
	private readonly programs: GuardedProgram[] = [];

	private constructor(
		private readonly folder: string,
		private readonly port: number,
		/** The same server answers by UDP at this port of 127.0.0.1. */
		readonly plainPort: number,
		private readonly serverPort: number,
	) {}

	/** @throws SetupFailure, or an Error with the end of a program's log when it does not come up */
	static async start(zones: Zones, more: FrontSettings = async () => ''): Promise<TestDns> {
		const folder = await mkdtemp(join(tmpdir(), 'email-identity-dns-'));
		const dns = new TestDns(folder, await freePort(), await freePort(), await freePort());
		try {
			await dns.startNameServer(zones);
			await dns.startFront(await more(dns.serverPort, folder));
		} catch (error) {
			await dns.stop();
			throw error;
		}
		return dns;
	}

	/** For the field DNS Resolver. */
	get address(): string {
		return `http://127.0.0.1:${this.port}/dns-query`;
	}

	async stop(): Promise<void> {
		for (const program of this.programs.toReversed()) await program.stop();
		await rm(this.folder, { recursive: true, force: true });
	}

	private file(name: string): string {
		return join(this.folder, name);
	}

	private async startNameServer(zones: Zones): Promise<void> {
		await mkdir(this.file('zones'));
		for (const [domain, zone] of Object.entries(zones)) {
			const text = `$ORIGIN ${domain}.\n$TTL 0\n@ SOA ns hostmaster 1 3600 600 86400 0\n@ NS ns\n${zone}\n`;
			await writeFile(this.file(`zones/${domain}`), zone === 'servfail' ? NO_ZONE : text);
		}
		const settings = this.file('nsd.conf');
		await writeFile(settings, this.nameServerSettings(Object.keys(zones)));
		const resolver = new Resolver();
		resolver.setServers([`127.0.0.1:${this.serverPort}`]);
		const [served = ''] = Object.keys(zones);
		const isReady = async () => await resolver.resolveSoa(served);
		await this.run('nsd', ['-c', settings, '-d'], isReady);
	}

	private async startFront(more: string): Promise<void> {
		const settings = this.file('dnsdist.conf');
		await writeFile(settings, this.frontSettings() + more);
		const isReady = async () => await fetch(this.address);
		await this.run('dnsdist', ['-C', settings, '--supervised', '--disable-syslog'], isReady);
	}

	private async run(
		name: 'nsd' | 'dnsdist',
		parameters: string[],
		isReady: () => Promise<unknown>,
	): Promise<void> {
		const { folder } = this;
		const program = new GuardedProgram({ program: findProgram(name), parameters, folder });
		this.programs.push(program);
		await program.ready(isReady);
	}

	private nameServerSettings(domains: readonly string[]): string {
		return `server:
  ip-address: 127.0.0.1@${this.serverPort}
  server-count: 1
  database: ""
  username: ""
  chroot: ""
  pidfile: "${this.file('nsd.pid')}"
  xfrdfile: "${this.file('xfrd.state')}"
  zonelistfile: "${this.file('zone.list')}"
  zonesdir: "${this.file('zones')}"
  # Rate limits would leave many questions of one kind unanswered.
  rrl-ratelimit: 0
  rrl-whitelist-ratelimit: 0
remote-control:
  control-enable: no
${domains.map((domain) => `zone:\n  name: "${domain}"\n  zonefile: "${domain}"`).join('\n')}
`;
	}

	private frontSettings(): string {
		return `setSecurityPollSuffix("")
newServer("127.0.0.1:${this.serverPort}"):setUp()
setLocal("127.0.0.1:${this.plainPort}")
addDOHLocal("127.0.0.1:${this.port}", nil, nil, "/dns-query")
`;
	}
}
