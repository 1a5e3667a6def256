import { Resolver } from 'node:dns/promises';
import { MAX_CONCURRENT_REQUESTS } from '../../nodes/EmailIdentity/api/requests/retry';
import type { Sandbox } from '../../sandbox';
import { say } from '../../scripts/setup/progress.mjs';
import type { Zones } from '../../test/dns/support/testDns';
import { N8n } from '../../test/support/n8n';
import { deploy } from '../../test/e2e/support/deployment';
import { compare, inTurn } from '../measure';
import type { Bench, Benchmark, Comparison } from '../types';
import { measurable } from './actionHost';
import { startSlowDns, type AskedQuestion, type SlowDns } from './slowDns';

const DOMAINS = 1000;

/** An audit sends so many requests at once, unless its user chooses another number. */
const AT_ONCE = MAX_CONCURRENT_REQUESTS;

/** A resolver that asks other servers takes some tens of milliseconds. */
const LATENCY_MS = 50;

const ROUNDS = 7;
const QUICK_ROUNDS = 2;

const HOST = 'service.test';

/** An audit of many domains with Check DNS, against the same questions asked through Node's own resolver by UDP. */
export const auditDns: Benchmark = {
	name: 'audit-dns',
	title: `How long Identity Audit takes for ${DOMAINS} domains, with Check DNS and a DNS that takes ${LATENCY_MS} ms`,
	async run(bench: Bench) {
		const dns = await startSlowDns(zones(), LATENCY_MS);
		const n8n = await N8n.start({ release: '2' });
		const { sandbox, credential } = await deploy(n8n, 'observed');
		try {
			addDomains(sandbox);
			const audit = {
				name: 'Email Identity',
				type: 'n8n-nodes-email-identity.emailIdentity',
				parameters: {
					resource: 'identity',
					operation: 'audit',
					auditOptions: { checkDns: true, dnsResolver: dns.address },
				},
				credentials: { emailIdentityApi: credential },
			};
			const run = await measurable(n8n, [audit], DOMAINS);
			return [await contest(bench, dns, run)];
		} finally {
			await n8n.stop();
			await sandbox.stop();
			await dns.stop();
		}
	},
};

async function contest(
	bench: Bench,
	dns: SlowDns,
	ours: () => Promise<number>,
): Promise<Comparison> {
	const before = await dns.questions();
	await ours();
	const questions = (await dns.questions()).slice(before.length);
	say(`  ${questions.length} questions`);
	const theirs = async () => await askAll(dns.plainPort, questions);
	const results = await inTurn({ ours, theirs }, bench.quick ? QUICK_ROUNDS : ROUNDS);
	return compare({
		what: 'time',
		unit: 'ms',
		ours: results.ours,
		against: "Node's resolver, by UDP",
		theirs: results.theirs,
		goal: { of: 'ratio', atMost: 1.5 },
	});
}

/** @returns milliseconds */
async function askAll(port: number, questions: readonly AskedQuestion[]): Promise<number> {
	const resolver = new Resolver({ timeout: 10_000 });
	resolver.setServers([`127.0.0.1:${port}`]);
	const queue = questions.values();
	const start = performance.now();
	const worker = async () => {
		for (const { name, type } of queue) {
			// For Node.js, a missing record is an error; here it is an answer.
			await resolver.resolve(name, type).catch(() => []);
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, worker));
	return performance.now() - start;
}

function zones(): Zones {
	const records: string[] = [];
	for (let index = 0; index < DOMAINS; index++) {
		records.push(
			`d${index}.slow TXT "v=spf1 include:_spf.${HOST} ~all"`,
			`d${index}.slow MX 10 mx.${HOST}.`,
			`_dmarc.d${index}.slow TXT "v=DMARC1; p=reject"`,
			`em.d${index}.slow CNAME bounce.${HOST}.`,
		);
	}
	return {
		'many.test': records.join('\n'),
		[HOST]: '_spf TXT "v=spf1 ip4:192.0.2.0/24 -all"\nbounce A 192.0.2.1',
	};
}

/** One domain for each name of `zones`; no other identity is left. */
function addDomains(sandbox: Sandbox): void {
	for (const { id } of [...sandbox.accounts.owner.identities]) sandbox.removeIdentity(id);
	for (let index = 0; index < DOMAINS; index++) {
		const value = `d${index}.slow.many.test`;
		sandbox.addIdentity({
			value,
			kind: 'domain',
			status: 'verified',
			incomingDomain: true,
			dnsRecords: [
				{ type: 'MX', name: value, value: `mx.${HOST}`, priority: 10 },
				{ type: 'TXT', name: value, value: `v=spf1 include:_spf.${HOST} ~all` },
				{ type: 'CNAME', name: `em.${value}`, value: `bounce.${HOST}` },
			],
		});
	}
}
