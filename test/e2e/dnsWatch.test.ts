import { startScriptedDns, type ScriptedDns } from '../dns/support/scriptedDns';
import { itemsOf, until } from '../support/n8n';
import type { Execution, StoredWorkflow } from '../support/n8n';
import { installExample, installTable } from './support/examples';
import { onStage } from './support/stage';

const DOMAIN = 'shop.test';

const RECORDS = [
	{ type: 'MX', name: DOMAIN, value: 'mx.service.test', priority: 10 },
	{ type: 'TXT', name: DOMAIN, value: 'v=spf1 include:_spf.service.test ~all' },
	{ type: 'CNAME', name: `em.${DOMAIN}`, value: 'bounce.service.test' },
];

const MX = { MX: ['10 mx.service.test'] };
const TXT = { TXT: ['v=spf1 include:_spf.service.test ~all'] };
const SPF = { TXT: ['v=spf1 ip4:198.51.100.0/24 -all'] };

const ZONES = {
	[DOMAIN]: { ...MX, ...TXT },
	[`em.${DOMAIN}`]: { CNAME: ['bounce.service.test'] },
	[`_dmarc.${DOMAIN}`]: { TXT: ['v=DMARC1; p=reject'] },
	'_spf.service.test': SPF,
	'bounce.service.test': SPF,
};

/** Its emails go to another server. */
const CHANGED = { ...TXT, MX: ['10 mx.elsewhere.test'] };

const FAILING = { failed: 'REFUSED' };

const stage = onStage({ isStory: true });

let dns: ScriptedDns;
let workflow: StoredWorkflow;

beforeAll(async () => {
	dns = await startScriptedDns(ZONES, { seconds: 0 });
	const { sandbox, n8n } = stage;
	sandbox.accounts.owner.identities.forEach(({ id }) => sandbox.removeIdentity(id));
	const domain = { value: DOMAIN, kind: 'domain', status: 'verified' } as const;
	sandbox.addIdentity({ ...domain, incomingDomain: true, dnsRecords: RECORDS });
	workflow = await installExample(stage, 'dns-watch');
	await installTable(stage, 'dns-watch', workflow);
	await n8n.workflows.updateNode(workflow.id, 'Audit Identities', {
		parameters: {
			resource: 'identity',
			operation: 'audit',
			auditOptions: { checkDns: true, dnsResolver: dns.address },
		},
	});
	await n8n.workflows.updateNode(workflow.id, 'Every Morning at 6', {
		parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 3 }] } },
	});
	await n8n.workflows.activate(workflow.id);
});

afterAll(async () => {
	await dns?.stop();
});

const lastId = async (): Promise<number> =>
	Math.max(0, ...(await stage.n8n.executions.list(workflow.id)).map(({ id }) => Number(id)));

/** A number of successful executions from an ID on, oldest first, when they have ended. */
async function runsFrom(start: number, count: number): Promise<Execution[]> {
	return await until(`the schedule has begun ${count} executions from ${start} on`, async () => {
		const later = (await stage.n8n.executions.list(workflow.id))
			.filter(({ id, status }) => Number(id) >= start && status === 'success')
			.reverse();
		if (later.length < count) return undefined;
		return await Promise.all(
			later.slice(0, count).map(async ({ id }) => await stage.n8n.executions.get(id)),
		);
	});
}

const reportOf = (execution: Execution): unknown =>
	execution.nodes['Write Report'] ? itemsOf(execution, 'Write Report')[0]?.json.text : undefined;

/** The reports since a change, including the run that may have been under way. */
async function reportsAfterChange(change: () => unknown): Promise<unknown[]> {
	const before = await lastId();
	change();
	const runs = await runsFrom(before, 4);
	return runs.map(reportOf).filter((text) => text !== undefined);
}

it('"dns-watch" reports a change in a zone once, and its repair once', async () => {
	const first = await runsFrom(0, 2);
	expect(first.map(({ mode }) => mode)).toEqual(['trigger', 'trigger']);
	expect(first.map(reportOf)).toEqual([undefined, undefined]);

	expect(await reportsAfterChange(() => (dns.zones[DOMAIN] = CHANGED))).toEqual([
		expect.stringMatching(
			/^shop\.test:\nMail for the domain goes to other servers\. .+value mx\.service\.test, priority 10\. Current value: 10 mx\.elsewhere\.test\.$/,
		),
	]);

	expect(await reportsAfterChange(() => (dns.zones[DOMAIN] = ZONES[DOMAIN]!))).toEqual([
		'shop.test: everything is repaired.',
	]);
});

it('"dns-watch" reports a DNS that fails only when it fails for the second time', async () => {
	const before = await lastId();
	for (const name of Object.keys(ZONES)) dns.zones[name] = FAILING;
	const runs = await runsFrom(before, 6);
	const unanswered = runs.filter(
		(run) => itemsOf(run, 'Audit Identities')[0]?.json.dns !== 'checked',
	);

	expect(unanswered.map(reportOf).slice(0, 4)).toEqual([
		undefined,
		'shop.test: the DNS did not answer for the second time.',
		undefined,
		undefined,
	]);
	expect(await reportsAfterChange(() => Object.assign(dns.zones, ZONES))).toEqual([]);
});
