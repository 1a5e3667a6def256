import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TestDns, type Zones } from '../../test/dns/support/testDns';
import { SlowRelay } from './slowRelay';

/** A question that arrived over HTTPS. */
export interface AskedQuestion {
	/** Without its last dot. */
	name: string;
	type: string;
}

export type SlowDns = Awaited<ReturnType<typeof startSlowDns>>;

/** Starts a real DNS that can delay its answers about names with a label `slow`, and that logs questions. */
export async function startSlowDns(zones: Zones) {
	let relay: SlowRelay | undefined;
	let log = '';
	const dns = await TestDns.start(zones, async (serverPort, folder) => {
		relay = await SlowRelay.start(serverPort);
		log = join(folder, 'questions.log');
		return `newServer({address="127.0.0.1:${relay.port}", pool="slow"}):setUp()
addAction(AllRule(), LogAction("${log}", false, true, false))
addAction(RegexRule("(^|\\\\.)slow\\\\."), PoolAction("slow"))
`;
	});
	return {
		address: dns.address,
		plainPort: dns.plainPort,
		setDelay(delayMs: number) {
			if (relay) relay.delayMs = delayMs;
		},
		/** The questions that arrived over HTTPS, in their order. */
		async questions(): Promise<AskedQuestion[]> {
			const text = await readFile(log, 'utf8').catch(() => '');
			return [...text.matchAll(/ for (\S+)\. (\S+) with id /g)].map(([, name = '', type = '']) => ({
				name,
				type,
			}));
		},
		async stop() {
			relay?.stop();
			await dns.stop();
		},
	};
}
