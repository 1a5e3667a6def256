import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../e2e/driver/freePort';
import { until } from '../e2e/driver/until';
import { GuardedProgram } from '../programs/guardedProgram';
import { findProgram } from '../../scripts/setup/programs.mjs';
import { NameServer } from './nameServer';
import { SlowRelay } from './slowRelay';
import type { Zone, Zones } from './zoneFile';

export type { Zone, ZoneRecord, Zones } from './zoneFile';

/** A question that arrived over HTTPS. */
export interface AskedQuestion {
	/** Without its last dot. */
	name: string;
	type: string;
}

export interface DnsOptions {
	/** How long names with a label `slow` are waited for, in milliseconds; for ever unless told. */
	slowness?: number;
}

/**
 * A real DNS: a name server (NSD) with the zones of a test, and DNS over HTTPS before it (dnsdist), without a certificate,
 * so over plain HTTP. What is started ends with this process at the latest.
 */
export class TestDns {
	private constructor(
		/** What goes into the field DNS Resolver. */
		readonly address: string,
		/** Where the same server answers by UDP, on 127.0.0.1. */
		readonly plainPort: number,
		private readonly folder: string,
		private readonly nameServer: NameServer,
		private readonly front: GuardedProgram,
		private readonly relay: SlowRelay,
	) {}

	/** @throws SetupFailure, or an Error with the end of a program's log when it does not come up */
	static async start(zones: Zones, { slowness = Infinity }: DnsOptions = {}): Promise<TestDns> {
		const program = findProgram('dnsdist');
		const folder = await mkdtemp(join(tmpdir(), 'email-identity-dns-'));
		const nameServer = await NameServer.start(folder, zones);
		const relay = await SlowRelay.start(nameServer.port, slowness);
		const port = await freePort();
		const plainPort = await freePort();
		const settings = join(folder, 'dnsdist.conf');
		await writeFile(
			settings,
			configuration(folder, [port, plainPort], [nameServer.port, relay.port]),
		);
		const parameters = ['-C', settings, '--supervised', '--disable-syslog'];
		const front = new GuardedProgram({ program, parameters, folder });
		const address = `http://127.0.0.1:${port}/dns-query`;
		const dns = new TestDns(address, plainPort, folder, nameServer, front, relay);
		await until(async () => (await fetch(address)).status > 0, {
			describe: `dnsdist answers at port ${port}`,
		}).catch(async (error: Error) => {
			await dns.stop();
			throw new Error(`${error.message}\n${front.log.tail()}`);
		});
		return dns;
	}

	/** Where the name server itself answers, by UDP and TCP on 127.0.0.1. */
	get port(): number {
		return this.nameServer.port;
	}

	/** Changes a domain, and returns when it is served; undefined takes it away. */
	async setZone(domain: string, zone: Zone | undefined): Promise<void> {
		await this.nameServer.set({ [domain]: zone });
	}

	/** How long names with a label `slow` are waited for from now on, in milliseconds. */
	setSlowness(milliseconds: number): void {
		this.relay.delay = milliseconds;
	}

	/** What was asked over HTTPS, in the order of arrival. */
	async questions(): Promise<AskedQuestion[]> {
		const log = await readFile(questionLog(this.folder), 'utf8').catch(() => '');
		return [...log.matchAll(/ for (\S+)\. (\S+) with id /g)].map(([, name = '', type = '']) => ({
			name,
			type,
		}));
	}

	async stop(): Promise<void> {
		this.relay.stop();
		await this.front.stop('SIGTERM');
		await this.nameServer.stop();
		await rm(this.folder, { recursive: true, force: true });
	}
}

function questionLog(folder: string): string {
	return join(folder, 'questions.log');
}

function configuration(
	folder: string,
	[port, plainPort]: readonly [number, number],
	[server, slowServer]: readonly [number, number],
): string {
	return `setSecurityPollSuffix("")
setUDPTimeout(60)
newServer("127.0.0.1:${server}"):setUp()
newServer({address="127.0.0.1:${slowServer}", pool="slow"}):setUp()
setLocal("127.0.0.1:${plainPort}")
addDOHLocal("127.0.0.1:${port}", nil, nil, "/dns-query")
addAction(AllRule(), LogAction("${questionLog(folder)}", false, true, false))
addAction(RegexRule("(^|\\\\.)slow\\\\."), PoolAction("slow"))
`;
}
