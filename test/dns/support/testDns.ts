import { Resolver } from 'node:dns/promises';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findProgram } from '../../../scripts/setup/programs.mjs';
import { freePort } from '../../support/n8n/freePort';
import { GuardedProgram } from '../../support/programs/guardedProgram';
import { SlowRelay } from './slowRelay';

/**
 * Domain → its records as a zone file has them (RFC 1035, section 5), with a time to live of 0 unless given; or that its server
 * fails (SERVFAIL). Of others nothing is known: they are refused (REFUSED).
 */
export type Zones = Readonly<Record<string, string>>;

/** A question that arrived over HTTPS. */
export interface AskedQuestion {
	/** Without its last dot. */
	name: string;
	type: string;
}

/** NSD fails if a file contains no zone. */
const NO_ZONE = '; nothing\n';

/**
 * A real DNS: a name server (NSD) with the zones of a test, and DNS over HTTPS before it (dnsdist), without a certificate,
 * so over plain HTTP. What is started ends with this process at the latest.
 */
export class TestDns {
	private readonly programs: GuardedProgram[] = [];

	private relay: SlowRelay | undefined;

	private constructor(
		private readonly folder: string,
		private readonly port: number,
		/** Where the same server answers by UDP, on 127.0.0.1. */
		readonly plainPort: number,
		private readonly serverPort: number,
	) {}

	/** @throws SetupFailure, or an Error with the end of a program's log when it does not come up */
	static async start(zones: Zones): Promise<TestDns> {
		const folder = await mkdtemp(join(tmpdir(), 'email-identity-dns-'));
		const dns = new TestDns(folder, await freePort(), await freePort(), await freePort());
		try {
			await dns.startNameServer(zones);
			await dns.startFront();
		} catch (error) {
			await dns.stop();
			throw error;
		}
		return dns;
	}

	/** What goes into the field DNS Resolver. */
	get address(): string {
		return `http://127.0.0.1:${this.port}/dns-query`;
	}

	/** Sets how long names with a label `slow` take from now on, in milliseconds. */
	setSlowness(milliseconds: number): void {
		if (this.relay) this.relay.delay = milliseconds;
	}

	/** What was asked over HTTPS, in the order of arrival. */
	async questions(): Promise<AskedQuestion[]> {
		const log = await readFile(this.file('questions.log'), 'utf8').catch(() => '');
		return [...log.matchAll(/ for (\S+)\. (\S+) with id /g)].map(([, name = '', type = '']) => ({
			name,
			type,
		}));
	}

	async stop(): Promise<void> {
		this.relay?.stop();
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

	private async startFront(): Promise<void> {
		const settings = this.file('dnsdist.conf');
		this.relay = await SlowRelay.start(this.serverPort);
		await writeFile(settings, this.frontSettings(this.relay.port));
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
  # Against floods it would leave questions of one kind unanswered.
  rrl-ratelimit: 0
  rrl-whitelist-ratelimit: 0
remote-control:
  control-enable: no
${domains.map((domain) => `zone:\n  name: "${domain}"\n  zonefile: "${domain}"`).join('\n')}
`;
	}

	private frontSettings(slowPort: number): string {
		return `setSecurityPollSuffix("")
newServer("127.0.0.1:${this.serverPort}"):setUp()
newServer({address="127.0.0.1:${slowPort}", pool="slow"}):setUp()
setLocal("127.0.0.1:${this.plainPort}")
addDOHLocal("127.0.0.1:${this.port}", nil, nil, "/dns-query")
addAction(AllRule(), LogAction("${this.file('questions.log')}", false, true, false))
addAction(RegexRule("(^|\\\\.)slow\\\\."), PoolAction("slow"))
`;
	}
}
